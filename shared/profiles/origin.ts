/** Origin: the source of a register as stored: `api`, `enricher:<name>` or `import:<definition>:<job>`. */

/** The origin of values that a client sends in a call of its own, about one person. */
export const directOrigin = 'api';

const imported = /^(import:\d+):(\d+)$/;

/** The origin of values from a job of an import definition. At most 40 characters. */
export const importOrigin = (definition: number, job: number): string => `import:${definition}:${job}`;

/** The import job of an origin; `undefined` for values from elsewhere. */
export const jobOfOrigin = (origin: string): number | undefined => {
  const job = imported.exec(origin)?.[2];
  return job === undefined ? undefined : Number(job);
};

/** The source of an origin, without the job, as the API shows it: `api`, `enricher:<name>` or `import:<definition>`. */
export const sourceOfOrigin = (origin: string): string => imported.exec(origin)?.[1] ?? origin;
