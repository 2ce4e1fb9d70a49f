/** `tidemark-local-importBatch` is the manifest's `importBatch`. Other names stay unchanged. */
export const shortName = (physicalName: string): string => physicalName.replace(/^tidemark-[a-z]+-/, '');
