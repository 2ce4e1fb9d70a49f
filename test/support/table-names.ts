/** Names of the tables of the service on the embedded cloud. */
export const tableNames = { data: 'tidemark-local', credentials: 'tidemark-local-credentials' } as const;
