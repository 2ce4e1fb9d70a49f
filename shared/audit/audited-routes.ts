/** What decides whether requests of a route are in the audit log. */
export interface AuditedRoute {
  readonly method: string;
  /** For a GET that shows data of people: of one person, whom its answer then names for the log, or of many people. */
  readonly shows?: 'person' | 'people';
}

/** Whether requests of a route are in the audit log: those that change something, and reads that show data of people. */
export const isAudited = ({ method, shows }: AuditedRoute): boolean =>
  method !== 'GET' || shows !== undefined;
