/** What decides whether requests of a route are in the audit log. */
export interface AuditedRoute {
  readonly method: string;
  /** A read that shows what is known of one person. */
  readonly readsPerson?: boolean;
}

/** Whether requests of a route are in the audit log: those that change something, and reads of one person. */
export const isAudited = ({ method, readsPerson }: AuditedRoute): boolean =>
  method !== 'GET' || readsPerson === true;
