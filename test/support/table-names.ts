/** Names of the tables of the service on the embedded cloud, by resource. */
export const tableNames = {
  table: 'tidemark-local',
  credentials: 'tidemark-local-credentials',
  rates: 'tidemark-local-rates',
  auditLog: 'tidemark-local-audit-log',
} as const;
