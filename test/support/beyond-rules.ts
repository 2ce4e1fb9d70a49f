/**
 * The units that `npm run test:quick` leaves to `npm test`: those that synthesize stacks, bundle functions or start
 * processes, those that search large spaces, and others of a second or more.
 */
export const beyondRules: readonly string[] = [
  'test/{cli,docs,infra}/**',
  'test/**/*{canary,contention,crashes,histories,models,protocol,races,steps}.test.ts',
  'test/auth/{credential-writes,issue-token}.test.ts',
  'test/brands/{read-file,versions}.test.ts',
  'test/client/examples.test.ts',
  'test/command-line/hostile.test.ts',
  'test/csv/{encoding-proof,print-line,round-trip,row-scanner}.test.ts',
  'test/edge/{api-handler,keyed-posts,openapi-types}.test.ts',
  'test/exports/{assembly,bucket-destination,churn,delta,lifecycle,part-rows,push-trouble,run,superseded}.test.ts',
  'test/imports/{bounded-memory,cancel,dry-run-batches,dry-run,guard-files,inspect,random-faults,reconcile-drops,reports-file,split,tallies,transformations,undo,warnings}.test.ts',
  'test/ingest/{forget-large,slow-writes,undo-many,undo-segments,undo-states}.test.ts',
  'test/interactions/{blank-cells,forgetting}.test.ts',
  'test/membership/{audit,birthdays,drain-cut-off,group-commit,journal,on-dynamodb,sizes,snapshot-reads}.test.ts',
  'test/operator/delete-property.test.ts',
  'test/places/resource-places.test.ts',
  'test/profiles/{consent,http,merge,tag-removal,uuid}.test.ts',
  'test/python/units.test.ts',
  'test/references/in-use.test.ts',
  'test/schedules/reference.test.ts',
  'test/segments/{custom-model,empty-segments,explain-model,paging}.test.ts',
  'test/table/contract.test.ts',
  'test/timelines/{forgetting,on-dynamodb}.test.ts',
  'test/webhooks/sender.test.ts',
];
