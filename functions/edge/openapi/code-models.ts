/** Code models: the names under which clients know the codes of errors, rows and jobs, each with its values. */
import {
  exportFailureCode,
  importFailureCode,
  jobWarningCode,
  recordWarningCode,
  rowCode,
} from '../../../shared/http/code-schemas.ts';
import type { Codes } from '../../../shared/http/code-facts.ts';
import { faultCodes, recordFaults, valueFaults } from '../../../shared/http/fault-codes.ts';
import { oauthErrors } from '../../../shared/http/oauth-errors.ts';
import { problemCodes } from '../../../shared/http/problem-codes.ts';
import {
  exportFailures,
  importFailures,
  jobWarnings,
  recordWarnings,
  rowFaults,
  rowWarnings,
} from '../../../shared/http/row-codes.ts';
import type { Json } from './json.ts';
import type { Model } from './json-schema.ts';

/** Names of codes: the schema in answers that stands for them, their registry, and a sentence about them. */
const codes = {
  RowCode: [
    rowCode,
    { ...valueFaults, ...recordFaults, ...rowFaults, ...importFailures, ...jobWarnings, ...rowWarnings },
    'The reason why a row was refused or warned. The entry of a whole job has a code of the job.',
  ],
  RecordWarningCode: [recordWarningCode, recordWarnings, 'What the service did not store as sent.'],
  JobWarningCode: [jobWarningCode, jobWarnings, 'A warning about an import job as a whole.'],
  ImportFailureCode: [importFailureCode, importFailures, 'The reason why an import job failed.'],
  ExportFailureCode: [exportFailureCode, exportFailures, 'The reason why an export job failed.'],
} as const;

/** The models of codes in answers. */
export const codeModels: Readonly<Record<string, Model>> = Object.fromEntries(
  Object.entries(codes).map(([name, [schema, , sentence]]) => [name, [schema, sentence]]),
);

/** A list of codes. Pages and generators of clients know the sentences of an enumeration as `x-enum-descriptions`. */
const listOf = (registry: Codes, sentence: string): Json => ({
  type: 'string',
  description: sentence,
  enum: Object.keys(registry),
  'x-enum-descriptions': Object.values(registry).map(({ meaning, remedy }) => `${meaning} ${remedy}`),
});

/** The JSON Schemas of all codes, by name. The schemas in answers have no values. */
export const codeLists: Readonly<Record<string, Json>> = {
  ProblemCode: listOf(
    problemCodes,
    'The kind of a problem. It never changes its meaning, so programs may rely on it.',
  ),
  FaultCode: listOf(
    faultCodes,
    'The kind of a fault. It never changes its meaning, so programs may rely on it.',
  ),
  OAuthErrorCode: listOf(oauthErrors, 'The kind of an error of a route under `/oauth`.'),
  ...Object.fromEntries(
    Object.entries(codes).map(([name, [, registry, sentence]]) => [name, listOf(registry, sentence)]),
  ),
};
