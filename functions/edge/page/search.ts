/** Search: finds operations and models of the page by their names, by what their sections say, and by other words for them. */

/** Words that people use for an operation, beside those of its section, and the operations that they mean, the best first. */
export const synonyms: readonly (readonly [phrases: readonly string[], operations: readonly string[]])[] = [
  [
    ['log in', 'login', 'password', 'authenticate', 'api key', 'bearer token', 'scope'],
    ['issueToken', 'getCaller', 'listTokens', 'revokeToken'],
  ],
  [
    ['log out', 'logout', 'end session'],
    ['revokeToken', 'deleteToken'],
  ],
  [
    ['take back', 'roll back', 'rollback', 'revert', 'wrong file'],
    ['undoImportJob', 'cancelImportJob'],
  ],
  [
    ['delete person', 'delete profile', 'remove person', 'erase person', 'right to be forgotten'],
    ['forgetProfile', 'createErasure'],
  ],
  [
    ['gdpr', 'dsgvo', 'ccpa', 'data protection', 'privacy'],
    ['accessRequest', 'forgetProfile', 'createObjection', 'createErasure'],
  ],
  [
    ['newsletter', 'marketing', 'opt in', 'subscribe', 'subscription'],
    ['createProfile', 'createImport', 'createExport', 'createObjection'],
  ],
  [
    ['unsubscribe', 'opt out', 'do not contact', 'blocklist', 'suppress'],
    ['createObjection', 'createProfile', 'withdrawNotificationEmail'],
  ],
  [
    ['merge', 'deduplicate', 'duplicate', 'upsert', 'add person', 'insert person'],
    ['createProfile', 'getProfile', 'createImport'],
  ],
  [
    ['who is in', 'members', 'audience', 'people in segment'],
    ['listSegmentProfiles', 'getSegment', 'explainMembership', 'listTimelineChanges'],
  ],
  [
    ['who left', 'who came', 'churn', 'growth', 'history'],
    ['listTimelineChanges', 'createTimeline', 'drawTimelineChart'],
  ],
  [
    ['find person', 'search person', 'customer lookup'],
    ['getProfile', 'listProfileSegments'],
  ],
  [
    ['csv', 'upload csv', 'import file', 'bulk import', 'spreadsheet'],
    ['createUpload', 'inspectImport', 'createImport', 'listImportErrors'],
  ],
  [
    ['download', 'sftp push', 'send list'],
    ['createExport', 'createExportJob', 'getExportJob', 'download'],
  ],
];

/**
 * `find(query, entries)`: the entries that a query finds, the best first. An entry has the id of its section, its name with
 * the address, and what its section says, in small letters. A word in the name counts more than one in the section, and a
 * synonym most: also while it is typed.
 */
export const searchScript = `
const synonyms = ${JSON.stringify(synonyms)};
const find = (query, entries) => {
  const words = query.toLowerCase().split(/[\\s,]+/).filter((word) => word && !/^(?:an?|the|my)$/.test(word));
  const asked = words.join(' ');
  const means = (phrase) => (" " + asked).includes(" " + phrase) || (asked.length > 3 && phrase.startsWith(asked));
  const meant = synonyms.filter(([phrases]) => phrases.some(means)).flatMap(([, operations]) => operations);
  const score = ({ id, name, text }) => {
    const place = meant.indexOf(id), all = words.every((word) => name.includes(word) || text.includes(word));
    return (place < 0 ? 0 : 1000 - place) + (all ? words.reduce((sum, word) => sum + (name.includes(word) ? 10 : 1), 0) : 0);
  };
  if (words.length === 0) return [];
  return entries.map((entry) => [score(entry), entry]).filter(([points]) => points > 0).sort(([a], [b]) => b - a).map(([, entry]) => entry);
};
`;
