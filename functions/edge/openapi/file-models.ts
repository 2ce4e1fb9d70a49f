/** Models of imports and exports. */
import { addressesAnswer, withdrawnAnswer } from '../../../shared/deliveries/address-schemas.ts';
import {
  compressions,
  dataFormats,
  exportStatuses,
  jobStatuses as exportJobStatuses,
} from '../../../shared/exports/model/items.ts';
import {
  createdExportAnswer,
  deletedExportAnswer,
  deliveriesAnswer,
  deliveryAnswer,
  exportAnswer,
  exportsAnswer,
  exportTestAnswer,
  hostKeyAnswer,
  jobAnswer as exportJobAnswer,
  jobsAnswer as exportJobsAnswer,
  loggedDeliveryAnswer,
  policyDocument,
  replacedExportAnswer,
  shownBucket,
  shownChanges,
  shownColumn,
  shownServer,
  testedStep,
} from '../../../shared/exports/model/answers.ts';
import {
  bucket,
  changesTarget,
  column,
  exportBody,
  hostKeyBody,
  newExportBody,
  server,
} from '../../../shared/exports/model/schemas.ts';
import { finding, inspectAnswer, inspectBody } from '../../../shared/imports/inspect/inspect-schemas.ts';
import { fieldMap, source } from '../../../shared/imports/mapping/field-map.ts';
import { transformation } from '../../../shared/imports/mapping/transformation-schema.ts';
import { dryRunResult } from '../../../shared/imports/schemas/dry-run-result.ts';
import { jobStatuses } from '../../../shared/imports/items/job-status.ts';
import { batchAnswer, batchBody, retryBody } from '../../../shared/imports/schemas/batch-schemas.ts';
import {
  deletedImportAnswer,
  importAnswer,
  importBody,
  importsAnswer,
  shownMapping,
  storedImportAnswer,
} from '../../../shared/imports/schemas/definition-schemas.ts';
import {
  jobAnswer,
  jobBody,
  jobDetailAnswer,
  jobsAnswer,
  reasonAnswer,
  shownDialect,
  shownCounts,
  shownFailure,
  shownUndo,
  shownWarning,
} from '../../../shared/imports/schemas/job-schemas.ts';
import {
  errorsAnswer,
  importDeliveriesAnswer,
  importDeliveryAnswer,
  reportedRow,
  warningsAnswer,
} from '../../../shared/imports/schemas/report-schemas.ts';
import { partsUpload, uploadBody, wholeUpload } from '../../../shared/imports/schemas/upload-schemas.ts';
import { shownPhases } from '../../../shared/imports/schemas/shown-phase.ts';
import type { Choice, Model } from './json-schema.ts';

export const importModels = {
  ImportInput: [importBody, 'An import definition: a new one, or the replacement of an existing one.'],
  ImportDefinition: [importAnswer, 'An import definition: how a file becomes records.'],
  StoredImportDefinition: [
    storedImportAnswer,
    'An import definition that was just stored. A new secret of its webhook is shown only here.',
  ],
  DeletedImport: [deletedImportAnswer, 'The id of a deleted import definition.'],
  ImportPage: [importsAnswer, 'A page of import definitions.'],
  Mapping: [shownMapping, 'How the columns of a file become the fields of a record.'],
  FieldMap: [fieldMap, 'How one field of a record is made of columns of the file.'],
  FieldSource: [source, 'A column of the file, or a text that is the same in every row.'],
  Transformation: [
    transformation,
    'A change of the text of a cell. The transformations of a field run in order.',
  ],
  ImportJobInput: [jobBody, 'A job for batches of records.'],
  ImportJob: [jobAnswer, 'An import job: it imports one file, or the batches that clients send to it.'],
  ImportJobDetail: [jobDetailAnswer, 'An import job with the reasons of its refused and warned rows.'],
  ImportJobPage: [jobsAnswer, 'A page of the jobs of an import.'],
  ImportCounts: [shownCounts, 'The status of an import job, and the numbers of its records.'],
  ImportWarning: [shownWarning, 'A warning about the file of an import job.'],
  ImportUndo: [shownUndo, 'The undo of an import job.'],
  FileDialect: [shownDialect, 'The encoding and the delimiter of a file.'],
  FileFailure: [shownFailure, 'Why a file cannot be imported.'],
  RowReason: [reasonAnswer, 'Why rows were refused or warned, and how many.'],
  ReportedRow: [reportedRow, 'A refused or warned row.'],
  RefusedRowPage: [errorsAnswer, 'A page of refused rows.'],
  WarnedRowPage: [warningsAnswer, 'A page of warned rows.'],
  DryRunResult: [dryRunResult, 'What a real job with the same rows would do.'],
  UploadInput: [uploadBody, 'A file to upload.'],
  WholeUpload: [wholeUpload, 'The address for a file that is uploaded in one piece.'],
  PartsUpload: [partsUpload, 'The addresses of the missing parts of a large file.'],
  BatchInput: [batchBody, 'A batch of records for an import job.'],
  Batch: [batchAnswer, 'An accepted batch.'],
  RetryInput: [retryBody, 'Corrected rows that the service had refused.'],
  InspectionInput: [inspectBody, 'The beginning of a file, or the upload to look at.'],
  Inspection: [inspectAnswer, 'What the service found in a file, and a definition that fits.'],
  Finding: [finding, 'A fault or a warning about a cell or a row.'],
  ImportDelivery: [importDeliveryAnswer, 'A notice about the end of an import job.'],
  ImportDeliveries: [importDeliveriesAnswer, 'The notices about the end of an import job.'],
} as const satisfies Readonly<Record<string, Model>>;

export const importChoices = {
  ImportJobStatus: [jobStatuses, 'The status of an import job.'],
  ImportPhase: [shownPhases, 'What an import job is doing now.'],
} as const satisfies Readonly<Record<string, Choice>>;

export const exportModels = {
  NewExportInput: [newExportBody, 'An export definition to create.'],
  ExportInput: [exportBody, 'The replacement of an export definition.'],
  ExportColumnInput: [column, 'A column of an exported file.'],
  ExportColumn: [shownColumn, 'A column of an exported file.'],
  ExportChangesInput: [changesTarget, 'The receiver of the changes of a delta.'],
  ExportChanges: [shownChanges, 'The receiver of the changes of a delta.'],
  SftpServerInput: [server, 'An SFTP server that files are pushed to.'],
  SftpServer: [shownServer, 'The SFTP server that files are pushed to, without its secrets.'],
  BucketInput: [bucket, 'A bucket of yours that files are put into.'],
  Bucket: [shownBucket, 'The bucket that files are put into, with the policies that its role needs.'],
  Export: [exportAnswer, 'An export definition with the status and the file of its latest job.'],
  CreatedExport: [
    createdExportAnswer,
    'An export definition that was just created. The secret of its webhook is shown only here.',
  ],
  ReplacedExport: [
    replacedExportAnswer,
    'An export definition that was just replaced. A new secret of its webhook is shown only here.',
  ],
  ExportPage: [exportsAnswer, 'A page of export definitions.'],
  DeletedExport: [deletedExportAnswer, 'The id of a deleted export definition.'],
  PolicyDocument: [policyDocument, 'A policy document of AWS IAM.'],
  ExportJob: [exportJobAnswer, 'One run of an export.'],
  ExportJobPage: [exportJobsAnswer, 'A page of the jobs of an export.'],
  ExportDeliveryPage: [deliveriesAnswer, 'A page of the deliveries of an export job.'],
  ExportDelivery: [deliveryAnswer, 'A delivery of an exported file, or of the notice about it.'],
  LoggedExportDelivery: [loggedDeliveryAnswer, 'A delivery with its newest attempts.'],
  HostKeyInput: [hostKeyBody, 'The host key that an SFTP server must show.'],
  HostKey: [hostKeyAnswer, 'The host key that an SFTP server must have.'],
  NotificationEmailPage: [addressesAnswer, 'A page of the addresses that imports and exports name.'],
  WithdrawnNotificationEmail: [withdrawnAnswer, 'An address whose confirmation is withdrawn.'],
  ExportTestStep: [testedStep, 'A step of a test of the destinations of an export.'],
  ExportTest: [exportTestAnswer, 'The result of a test of the destinations of an export.'],
} as const satisfies Readonly<Record<string, Model>>;

export const exportChoices = {
  DataFormat: [dataFormats, 'The format of an exported file.'],
  Compression: [compressions, 'The compression of an exported file.'],
  ExportJobStatus: [exportJobStatuses, 'The status of an export job.'],
  ExportStatus: [
    exportStatuses,
    'The status of the latest job of an export; `scheduled` before the first job.',
  ],
} as const satisfies Readonly<Record<string, Choice>>;
