/** The facts of a route that decide about its audit. */
export interface AuditedRoute {
  readonly method: string;
  /**
   * For a route that shows personal data which the service holds: of one person, whom its response then names for the log,
   * or of many people.
   */
  readonly shows?: 'person' | 'people';
}

/** Whether requests of a route are in the audit log: changes, and reads of personal data. */
export const isAudited = ({ method, shows }: AuditedRoute): boolean =>
  method !== 'GET' || shows !== undefined;
