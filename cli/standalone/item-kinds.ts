/** Item kinds: names the kind of item behind a partition key, for the meters of the embedded DynamoDB. */
const kindPatterns = [
  [/^P#\d+#B#/, 'profile'],
  [/^P#\d+#I#/, 'claim'],
  [/^P#\d+#PHONE#/, 'phone-pointer'],
  [/^P#\d+#NAME#/, 'name-pointer'],
  [/^P#\d+#OBJECTIONS$/, 'objection'],
  [/^P#\d+#FORGOTTEN$/, 'forgotten'],
  [/^P#\d+#USER#/, 'made-thing'],
  [/^P#\d+#SEGMENTS#/, 'segment'],
  [/^P#\d+#SN(AME)?#/, 'segment-name'],
  [/^P#\d+#CUSTOM$/, 'custom-segment'],
  [/^P#\d+#COLLECTIONS$/, 'collection'],
  [/^P#\d+#REFS#/, 'reference'],
  [/^P#\d+#MOMENTS$/, 'moment'],
  [/^P#\d+#T(IMELINES$|N#|#)/, 'timeline'],
  [/^(DUE|CHART)#/, 'timeline'],
  [/^P#\d+#TOUCHED#/, 'touched'],
  [/^P#\d+#SIZES#/, 'sizes'],
  [/^P#\d+#M#\d+$/, 'directory'],
  [/^P#\d+#M#\d+#\d+$/, 'chunk'],
  [/^J#/, 'journal'],
  [/^P#\d+#DRAIN#/, 'lease'],
  [/^P#\d+#IMPORTS?(#|$)/, 'import'],
  [/^P#\d+#JOB#/, 'batch'],
  [/^P#\d+#RESTATED#\d+$/, 'restatement'],
  [/^WATCHED#/, 'watched-job'],
  [/^P#\d+#ERASURES$/, 'erasure'],
  [/^P#\d+#FILE#/, 'file'],
  [/^P#\d+#EXPORT(S|TESTS)?(#|$)/, 'export'],
  [/^EXPORT-SLOTS$/, 'export'],
  [/^IDEM#|^P#\d+#REQUEST#/, 'idempotency'],
  [/^TASKS#/, 'task'],
  [/^P#\d+$/, 'property'],
  [/^BRANDS/, 'brands'],
  [/^(COUNTERS|JOBS|PROPERTIES)$/, 'service'],
  [/^P#\d+#MAIL(BOX|S)#/, 'email'],
  [/^CONFIRMATION#/, 'email'],
  [/^DOWNLOAD#/, 'download'],
  [/^AUDIT#|^(FORGOTTEN|OBJECTED)$/, 'audit'],
  [/^RATE#/, 'rate'],
  [/^LOGIN#/, 'login'],
  [/^(ACCOUNT|PROPERTY|CLIENT|USER|TOKEN)#/, 'credential'],
] as const;

/** A kind of item. */
export type ItemKind = (typeof kindPatterns)[number][1] | 'other';

/** The kind of item behind a partition key; `other` for a key that no pattern covers. */
export const kindOfKey = (pk: string): ItemKind =>
  kindPatterns.find(([pattern]) => pattern.test(pk))?.[1] ?? 'other';
