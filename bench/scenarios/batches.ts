import { tableNames } from '../../test/support/table-names.ts';
import { reportCost } from '../support/cost.ts';
import { load, timed } from '../support/measure.ts';
import { scenario } from '../support/scenario.ts';
import { openService } from '../support/service.ts';

const BATCHES_AT_ONCE = 4;
const FLOOR_AT_ONCE = 8;

export default scenario({
  name: 'batches',
  title: 'Send batches of records',
  about:
    'Records of new people come in batches over the API, until all are stored and shown; the counts of the job are checked. The floor is a bare loop that puts one item for each record, eight at a time.',
  sizes: { ci: { batches: 12, records: 100 }, full: { batches: 500, records: 1_000 } },
  run: async ({ batches, records }, report) => {
    await using service = await openService();
    const { client } = service;
    const all = batches * records;
    const field = (name: string) => ({
      sources: [{ type: 'source_field' as const, name }],
      target_field: name,
    });
    const { id: importId } = await client.createImport({
      body: {
        name: 'Records',
        mapping_fields: { required_fields: ['email'], field_maps: [field('email'), field('first_name')] },
      },
    });
    const path = { import_id: importId };
    const { id: jobId } = await client.createImportJob({ path, body: { name: 'records' } });
    const send = (batch: number) =>
      client.importData({
        body: {
          name: `batch ${batch}`,
          import_job: jobId,
          records: Array.from({ length: records }, (_, record) => ({
            email: `record.${batch}.${record}@example.org`,
            first_name: `Name ${record}`,
          })),
        },
      });
    const stored = async (): Promise<void> => {
      await load(batches, BATCHES_AT_ONCE, send);
      report.progress('waits until all records are shown');
      const { counts } = await client.waitForImport({ importId, jobId });
      report.check('records stored', counts.completed, all);
      report.check('records refused or failed', counts.unserializable + counts.failed, 0);
    };
    report.progress('sends batches');
    const { result, cost } = await service.cost(() => timed(stored));
    const bare = await load(all, FLOOR_AT_ONCE, (index) => {
      const Item = { pk: { S: `bench#${index}` }, sk: { S: 'item' }, value: { S: 'x'.repeat(200) } };
      return service.bare.call('PutItem', { TableName: tableNames.table, Item });
    });
    report.ratio('a record', result.seconds / bare.seconds);
    reportCost(report, cost, { units: all, of: 'record' });
    report.time('rate', all / result.seconds, 'records/s');
    report.chart({
      kind: 'bars',
      unit: 'time as a multiple of bare PutItem calls',
      floor: 1,
      bars: [{ name: `${records} records a batch`, value: result.seconds / bare.seconds }],
    });
  },
});
