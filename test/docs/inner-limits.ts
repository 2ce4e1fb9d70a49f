/** Limits that no client and no operator meets: how the service divides its work, retries it and looks after it. */
const of = (area: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${area}.${name}`);

/** Whole areas, and single figures of areas. */
export const innerLimits: readonly string[] = [
  ...['clockSkewSeconds', 'tasks', 'operator', 'reservedConcurrency', 'workflows', 'alarms', 'events'],
  ...[
    'deletion',
    'storage',
    'audits',
    'birthdays',
    'http.idempotencyClaimSeconds',
    'enrichment.cacheSeconds',
  ],
  ...of('rates', 'chargedWindows entriesPerPartition keptSeconds waitMilliseconds'),
  ...of('audit', 'waitMilliseconds nobodySeconds forgettingDays forgettingMarginSeconds forgettingsPerCall'),
  ...of('auth', 'tokenCacheSeconds quietSeconds failureSliceSeconds scrypt leastScrypt'),
  ...of('profiles', 'accessFileDays deflateFrom forgettingSeconds renewedDays ordinalsPerReservation'),
  ...of('names', 'pointersPerShard'),
  ...of(
    'rules',
    'refreshSeconds settleSeconds restoredSeconds pauseSeconds peopleRoundDays fileRoundDays peopleAtOnce',
  ),
  ...of('brands', 'sameName faults partBytes stagedHours refreshSeconds advanceSeconds announcedAtOnce'),
  ...of('segments', 'groupsAtOnce cacheSeconds deletedDays fillBlocksOpen evidenceBytes journalEntryBytes'),
  ...of(
    'segments',
    'chunksPerPass chunksPerRequestPass journalSeconds lookSeconds indexerSeconds journalMarginSeconds',
  ),
  ...of('sizes', 'marginMinutes cheapUnits freeUnits soonSeconds propertiesAtOnce lists renewHours'),
  ...of('sizes', 'restMinutes retentionDays perItem lastSeconds'),
  ...of('timelines', 'abandonedSeconds recountSeconds recountGroups lateSeconds chartWidth.default'),
  ...of('timelines', 'chartHeight.default chartCacheSeconds'),
  ...of('conditions', 'knownValues knownCharacters'),
  ...of(
    'imports',
    'rowsPerChunk chunkBytes suspiciousCells suspiciousShare rowsPerSlice slicesAtOnce proofSeconds',
  ),
  ...of(
    'imports',
    'splitSeconds requeueSeconds parkSeconds pauseSeconds undoCleanupSeconds formerPages formerObjects',
  ),
  ...of('imports', 'formerSeconds dropsLastSeconds finishingBatches chunksDrainedAtOnce announceSeconds'),
  ...of(
    'imports',
    'resultFilesSeconds dropSettleSeconds dropOverlapSeconds reportFileSeconds restatementDays undoPeople',
  ),
  ...of(
    'imports',
    'undoRegisters undoBlocks undoFound undoFoundRegisters undoSeconds undoSegments undoSegmentsAtOnce',
  ),
  ...of('imports', 'writeUnitsPerRow readUnitsPerRow rowsPerWorkerSecond'),
  ...of(
    'exports',
    'shards profilesPerShard assembleSeconds taskSeconds pauseSeconds leftoverSeconds slotHours',
  ),
  ...of('exports', 'deltaOverlapSeconds downloadSeconds emailSeconds objectPartBytes objectPartsAtOnce'),
  ...of(
    'exports',
    'objectLastSeconds objectUploadDays testBucketSeconds testWebhookSeconds pushReadBackShare',
  ),
  ...of('exports', 'pushPieceBytes pushEndPieces troubleSeconds'),
  ...of('queues', 'maxReceiveCount copyAtReceive busySeconds returnSeconds visibilityFactor retentionDays'),
  ...of('gateway', 'mostBurst timeoutMilliseconds'),
  ...of('table', 'newTableReadUnits newTableWriteUnits throttledReadMilliseconds requestKeyDays'),
  ...of('schedules', 'timezoneLength retries maxAgeSeconds knownSeconds pauseSeconds sent'),
  ...of('work', 'row.step row.phone row.written listCalls previewValues'),
  'pgp.rsaExponentBits',
];
