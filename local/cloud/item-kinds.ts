/** Item kinds: names the kind of item behind a partition key, for the meters of the embedded DynamoDB. */
const kindPatterns: readonly (readonly [RegExp, string])[] = [
  [/^P#\d+#B#/, 'profile'],
  [/^P#\d+#I#/, 'claim'],
  [/^P#\d+#SEGMENTS#/, 'segment'],
  [/^P#\d+#SN(AME)?#/, 'segment-name'],
  [/^P#\d+#CUSTOM$/, 'custom-segment'],
  [/^P#\d+#COLLECTIONS$/, 'collection'],
  [/^P#\d+#REFS#/, 'reference'],
  [/^P#\d+#MOMENTS$/, 'moment'],
  [/^P#\d+#T(IMELINES$|N#|#)/, 'timeline'],
  [/^(MAKING|DUE)#/, 'timeline'],
  [/^P#\d+#TOUCHED#/, 'touched'],
  [/^P#\d+#SIZES#/, 'sizes'],
  [/^P#\d+#M#\d+$/, 'directory'],
  [/^P#\d+#M#\d+#\d+$/, 'chunk'],
  [/^J#/, 'journal'],
  [/^P#\d+#IMPORTS?(#|$)/, 'import'],
  [/^P#\d+#JOB#/, 'batch'],
  [/^WATCHED#/, 'watched-job'],
  [/^P#\d+#FILE#/, 'file'],
  [/^P#\d+#EXPORTS?(#|$)/, 'export'],
  [/^EXPORT-(OUTBOX#|SLOTS$)/, 'export'],
  [/^P#\d+#(IDEM|REQUEST)#/, 'idempotency'],
  [/^P#\d+$/, 'property'],
  [/^BRANDS/, 'brands'],
  [/^(COUNTERS|JOBS|PROPERTIES)$/, 'service'],
  [/^P#\d+#MAIL(BOX|S)#/, 'email'],
  [/^CONFIRMATION#/, 'email'],
  [/^DOWNLOAD#/, 'download'],
  [/^AUDIT#|^FORGOTTEN$/, 'audit'],
  [/^RATE#/, 'rate'],
  [/^LOGIN#/, 'login'],
  [/^(ACCOUNT|PROPERTY|CLIENT|USER|TOKEN)#/, 'credential'],
];

/** The kind of item behind a partition key; `other` for a key that no pattern covers. */
export const kindOfKey = (pk: string): string =>
  kindPatterns.find(([pattern]) => pattern.test(pk))?.[1] ?? 'other';
