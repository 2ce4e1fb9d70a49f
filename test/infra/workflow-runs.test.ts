import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { count, LONG, run, throttled } from './workflow-run.ts';

describe('the import workflow', () => {
  const input = { property: 7, import: 701, job: 702 };

  it('an import inspects its file and splits it in as many calls as needed, and settles the job', async () => {
    const { calls, ended } = await run('importFile', input, {
      InspectFile: [
        { status: 'ok', done: false },
        { status: 'ok', done: true },
      ],
      SplitFile: [
        { status: 'ok', done: false },
        { status: 'ok', done: false },
        { status: 'ok', done: true },
      ],
      SettleImport: [{ done: false, wait_seconds: 2 }, { done: false, wait_seconds: 4 }, { done: true }],
      AnnounceImport: [{ done: false, wait_seconds: 5 }, { done: true }],
    });
    expect(calls).toEqual([
      ...['InspectFile()', 'InspectFile()'],
      ...['SplitFile()', 'SplitFile()', 'SplitFile()'],
      ...['SettleImport()', 'SettleImport()', 'SettleImport()'],
      ...['AnnounceImport()', 'AnnounceImport()'],
    ]);
    expect(ended).toBe('succeeded');
  });

  it.each(['InspectFile', 'SplitFile'])('an import ends well when %s finds the file broken', async (step) => {
    const { calls, ended } = await run('importFile', input, {
      InspectFile: [{ status: 'ok' }],
      SplitFile: [{ status: 'ok' }],
      [step]: [{ status: 'failed' }],
      AnnounceImport: [{ done: true }],
    });
    expect(calls.slice(-2)).toEqual([`${step}()`, 'AnnounceImport()']);
    expect(ended).toBe('succeeded');
  });

  it('an import goes on after a temporary error', async () => {
    const { calls, ended } = await run('importFile', input, {
      SplitFile: [new Error('connection reset'), { status: 'ok', done: true }],
      SettleImport: [{ done: true }],
      AnnounceImport: [{ done: true }],
    });
    expect(calls).toEqual([
      ...['InspectFile()', 'SplitFile()', 'SplitFile()'],
      ...['SettleImport()', 'AnnounceImport()'],
    ]);
    expect(ended).toBe('succeeded');
  });

  it('an import repeats its last step until the step succeeds: an error there never fails a file whose rows are in batches', async () => {
    const { calls, ended } = await run('importFile', input, {
      SettleImport: [...Array<Error>(9).fill(new RangeError('out of reach')), { done: true }],
      AnnounceImport: [...Array<Error>(9).fill(new RangeError('out of reach')), { done: true }],
    });
    expect(calls.filter((call) => call === 'SettleImport()')).toHaveLength(10);
    expect(calls.filter((call) => call === 'AnnounceImport()')).toHaveLength(10);
    expect(calls.filter((call) => call.startsWith('FailImport'))).toEqual([]);
    expect(ended).toBe('succeeded');
  });

  it('an import marks its job as failed however long the marking itself fails', async () => {
    const { calls, ended } = await run('importFile', input, {
      SplitFile: [new RangeError('out of reach')],
      FailImport: [...Array<Error>(9).fill(new RangeError('out of reach')), { status: 'failed' }],
      AnnounceImport: [{ done: true }],
    });
    expect(calls.filter((call) => call.startsWith('FailImport'))).toHaveLength(10);
    expect(calls.at(-1)).toBe('AnnounceImport()');
    expect(ended).toContain('A step failed after all retries');
  });

  it.each(['InspectFile', 'SplitFile', 'SettleImport'])(
    'an import goes on when %s is throttled for long',
    async (step) => {
      const { calls, ended } = await run('importFile', input, {
        SplitFile: [{ status: 'ok', done: true }],
        SettleImport: [{ done: true }],
        AnnounceImport: [{ done: true }],
        [step]: [...throttled(LONG), { status: 'ok', done: true }],
      });
      expect(count(calls, step)).toBe(LONG + 1);
      expect(ended).toBe('succeeded');
    },
  );

  it.each(['InspectFile', 'SplitFile'])(
    'an import marks its job as failed when %s keeps failing',
    async (step) => {
      const { calls, ended } = await run('importFile', input, {
        SettleImport: [{ done: true }],
        FailImport: [{ status: 'failed' }],
        AnnounceImport: [{ done: true }],
        [step]: [new RangeError('out of reach')],
      });
      expect(calls.filter((call) => call.startsWith(step))).toHaveLength(4);
      expect(calls.slice(-2)).toEqual([
        'FailImport(error="RangeError" cause="out of reach")',
        'AnnounceImport()',
      ]);
      expect(ended).toContain('A step failed after all retries');
    },
  );
});

describe('the export workflow', () => {
  const input = { property: 7, export: '703', job: 704 };
  const plan = [{ status: 'ok', shards: [{ shard: 0 }, { shard: 1 }] }];

  it('an export writes a part for each shard, joins the parts, and starts the deliveries', async () => {
    const { calls, ended } = await run('runExport', input, {
      PlanExport: plan,
      AssembleExport: [{ status: 'ok' }],
    });
    expect(calls).toEqual([
      'PlanExport()',
      'WriteExportPart(shard=0)',
      'WriteExportPart(shard=1)',
      'AssembleExport()',
      'StartDeliveries()',
    ]);
    expect(ended).toBe('succeeded');
  });

  it('an export waits before its plan while another job of its definition runs', async () => {
    const { calls, ended } = await run('runExport', input, {
      PlanExport: [{ status: 'waiting', shards: [], wait_seconds: 1 }, ...plan],
    });
    expect(calls.slice(0, 3)).toEqual(['PlanExport()', 'PlanExport()', 'WriteExportPart(shard=0)']);
    expect(ended).toBe('succeeded');
  });

  it('an export of no profiles still makes a file', async () => {
    const { calls } = await run('runExport', input, { PlanExport: [{ status: 'ok', shards: [] }] });
    expect(calls).toEqual(['PlanExport()', 'AssembleExport()', 'StartDeliveries()']);
  });

  it('an export ends well when its plan is refused', async () => {
    const refused = await run('runExport', input, { PlanExport: [{ status: 'failed', shards: [] }] });
    expect(refused).toEqual({ calls: ['PlanExport()', 'StartDeliveries()'], ended: 'succeeded' });
  });

  it.each(['PlanExport', 'WriteExportPart', 'AssembleExport'])(
    'an export marks its job as failed when %s keeps failing, and starts the deliveries',
    async (step) => {
      const { calls, ended } = await run('runExport', input, {
        PlanExport: plan,
        [step]: [new Error('broken')],
        FailExport: [{ status: 'failed' }],
      });
      expect(calls.at(-2)).toMatch(/^FailExport\(error=".+" cause=".+"\)$/);
      expect(calls.at(-1)).toBe('StartDeliveries()');
      expect(ended).toContain('A step failed after all retries');
    },
  );

  it('an export ends well when the failed step had finished its work', async () => {
    const { ended } = await run('runExport', input, {
      PlanExport: plan,
      AssembleExport: [new Error('the answer was lost')],
      FailExport: [{ status: 'complete' }],
    });
    expect(ended).toBe('succeeded');
  });

  it('an export goes on when a part is throttled for long', async () => {
    const { calls, ended } = await run('runExport', input, {
      PlanExport: plan,
      WriteExportPart: [...throttled(LONG), {}],
    });
    expect(calls.filter((call) => call.startsWith('WriteExportPart')).length).toBeGreaterThan(LONG);
    expect(calls.filter((call) => call.startsWith('FailExport'))).toEqual([]);
    expect(ended).toBe('succeeded');
  });

  it.each(['PlanExport', 'AssembleExport'])(
    'an export goes on when %s is throttled for long',
    async (step) => {
      const { calls, ended } = await run('runExport', input, {
        PlanExport: plan,
        [step]: [...throttled(LONG), ...plan],
      });
      expect(count(calls, step)).toBe(LONG + 1);
      expect(calls.at(-1)).toBe('StartDeliveries()');
      expect(ended).toBe('succeeded');
    },
  );

  it('an export leaves a complete job alone when its deliveries cannot start', async () => {
    const { calls, ended } = await run('runExport', input, {
      PlanExport: plan,
      StartDeliveries: [new Error('nobody home')],
    });
    expect(calls.at(-1)).toBe('StartDeliveries()');
    expect(ended).toContain('nobody home');
  });
});

describe('the delivery workflow', () => {
  const input = { property: 7, export: '703', job: 704 };
  const done = { delivered: true, exhausted: false, wait_seconds: 0 };
  const later = { delivered: false, exhausted: false, wait_seconds: 5 };
  const over = { delivered: false, exhausted: true, wait_seconds: 0 };

  it('the deliveries push the file first and then notify, each step until it has ended', async () => {
    const { calls, ended } = await run('deliverExport', input, {
      PushFirst: [later],
      PutFirst: [later],
      PushFile: [later, done],
      PutObject: [later, later, done],
      TellChanges: [later, over],
      TellWebhook: [later, later, over],
      SendEmail: [done],
    });
    expect(calls.slice(0, 2)).toEqual(['PushFirst()', 'PutFirst()']);
    const states = ['PushFile', 'PutObject', 'TellChanges', 'TellWebhook', 'SendEmail'];
    expect(states.map((state) => count(calls, state))).toEqual([2, 3, 2, 3, 1]);
    expect(ended).toBe('succeeded');
  });

  it.each(['PushFile', 'PutObject', 'TellChanges', 'TellWebhook', 'SendEmail'])(
    'the deliveries go on when %s fails for good, and come back to it',
    async (step) => {
      const trouble = new RangeError('broken');
      const { calls, ended } = await run('deliverExport', input, {
        PushFirst: [done],
        PutFirst: [done],
        PushFile: [done],
        PutObject: [done],
        TellChanges: [done],
        TellWebhook: [done],
        SendEmail: [done],
        [step]: [trouble, trouble, trouble, trouble, done],
      });
      expect(count(calls, step)).toBe(5);
      expect(new Set(calls).size).toBe(7);
      expect(ended).toBe('succeeded');
    },
  );

  it('the deliveries go on when the first pushes fail for good', async () => {
    const { calls, ended } = await run('deliverExport', input, {
      PushFirst: [new RangeError('broken')],
      PutFirst: [new RangeError('broken')],
      PushFile: [done],
      PutObject: [done],
      TellChanges: [done],
      TellWebhook: [done],
      SendEmail: [done],
    });
    expect(count(calls, 'TellWebhook')).toBe(1);
    expect(ended).toBe('succeeded');
  });
});

describe('a service that is busy without end', () => {
  const inputs = {
    importFile: { property: 7, import: 701, job: 702 },
    runExport: { property: 7, export: '703', job: 704 },
  };

  it.each([
    ['importFile', 'SplitFile', 'FailImport', 'AnnounceImport'],
    ['runExport', 'PlanExport', 'FailExport', 'StartDeliveries'],
  ] as const)(
    '%s marks its job as failed when a service of %s is busy without end',
    async (workflow, step, failing, last) => {
      const { calls, ended } = await run(workflow, inputs[workflow], {
        SplitFile: throttled(1),
        PlanExport: throttled(1),
        [failing]: [...throttled(LONG * 2), { status: 'failed' }],
        AnnounceImport: [{ done: true }],
      });
      expect(count(calls, step)).toBe(limits.workflows.busyRetries + 1);
      expect(calls.filter((call) => call.startsWith(failing))).toHaveLength(LONG * 2 + 1);
      expect(calls.at(-1)).toBe(`${last}()`);
      expect(ended).toContain('A step failed after all retries');
    },
  );
});
