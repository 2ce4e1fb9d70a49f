/** Codes in answers. The API document lists their values (`functions/edge/openapi`); here they would be in each bundle. */
import * as v from 'valibot';

/** The code of a refused or warned row, or of a job that an import cannot finish. */
export const rowCode = v.string();

/** The code of a failed import job. */
export const importFailureCode = v.string();

/** The code of a warning about an import job as a whole. */
export const jobWarningCode = v.string();

/** The code of a warning about a record. */
export const recordWarningCode = v.string();

/** The code of a failed export job. */
export const exportFailureCode = v.string();
