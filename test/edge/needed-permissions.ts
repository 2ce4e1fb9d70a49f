import { manifest } from '../../functions/manifest.ts';
import type { HttpTrigger, TokenTrigger } from '../../functions/entry.ts';

/** What each role may do, in the words of the documents and not of the code. */
export const mayDo = {
  owner:
    'account.read definitions.read definitions.write exports.write people.erase people.read people.write',
  editor: 'definitions.read definitions.write exports.write people.read people.write',
  importer: 'definitions.read people.write',
  exporter: 'definitions.read exports.write',
  reader: 'definitions.read people.read',
  viewer: 'definitions.read',
} as const;

/** The routes of each permission, in the words of the documents and not of the code. Every other GET shows definitions. */
const routesOf = {
  'account.read': ['listAuditLog'],
  'people.read': [
    ...['getProfile', 'listProfileSegments', 'explainMembership', 'accessRequest', 'findPeople'],
    ...['listSegmentProfiles', 'previewSegment', 'listTimelineChanges'],
    ...['listImportErrors', 'listImportWarnings'],
  ],
  'people.write': [
    ...['createProfile', 'importData'],
    ...['createImportJob', 'cancelImportJob', 'retryImportJob', 'replayAnnouncement'],
    // The address of an upload is an address to write to, and an inspection shows only the file that the caller sends.
    ...['createUpload', 'getUpload', 'completeUpload', 'inspectImport'],
  ],
  'people.erase': ['forgetProfile', 'createObjection', 'endObjection', 'createErasure', 'undoImportJob'],
  'definitions.write': [
    ...['createImport', 'replaceImport', 'deleteImport'],
    ...['createSegment', 'replaceSegment', 'deleteSegment'],
    ...['createCollection', 'replaceCollection', 'deleteCollection'],
    ...['createTimeline', 'renameTimeline', 'deleteTimeline', 'createMoment'],
  ],
  'exports.write': [
    ...['createExport', 'replaceExport', 'deleteExport', 'createExportJob', 'cancelExportJob'],
    ...['testExport', 'replaceHostKey', 'replayDelivery'],
    // What lets data out without a token, or to another address.
    ...['withdrawLocation', 'withdrawNotificationEmail', 'createChartLink', 'withdrawChartLinks'],
  ],
} as const;

/** The permission that a route needs; null for a route about the caller; `undefined` for a route that nobody placed. */
const neededBy = (name: string, { method, path }: HttpTrigger): string | null | undefined => {
  if (path.startsWith('/v1/me')) return null;
  const listed = Object.entries(routesOf).find(([, names]) => names.some((one) => one === name));
  return listed?.[0] ?? (method === 'GET' ? 'definitions.read' : undefined);
};

/** A route with a token, with the permission that it must need. */
export interface TokenRoute {
  readonly name: string;
  readonly trigger: TokenTrigger;
  readonly needs: string | null | undefined;
}

/** Every route with a token. */
export const tokenRoutes: readonly TokenRoute[] = Object.entries(manifest).flatMap(([name, { trigger }]) =>
  trigger.kind === 'http' && trigger.auth === 'token'
    ? [{ name, trigger, needs: neededBy(name, trigger) }]
    : [],
);

/** The names that no route has. */
export const strayNames: readonly string[] = Object.values(routesOf)
  .flat()
  .filter((name) => !tokenRoutes.some((route) => route.name === name));
