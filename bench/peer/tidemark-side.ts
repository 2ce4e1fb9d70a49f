/** Tidemark side: how Tidemark does the work, as a user asks it to. */
import * as v from 'valibot';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { emailOf, importPeople } from '../support/people-file.ts';
import type { Report } from '../support/scenario.ts';
import { segmentOf } from '../support/segment-of.ts';
import type { MeasuredService } from '../support/service.ts';
import { checkLines, checkPerson, countSchema, pageSchema, rememberIds, type Side } from './side.ts';
import { EXPORTED } from './statements.ts';

/** Exports everyone, waits for the job as the client does, and reads the file. */
const exportEveryone = async ({ client, property }: MeasuredService): Promise<string> => {
  const body = {
    segment: [everyoneId(property)],
    field_set: 'custom' as const,
    custom_result_format: EXPORTED.map((name) => ({ umbel_field_name: name, destination_field_name: name })),
  };
  const { id } = await client.createExport({ body });
  const { location } = await client.waitForExport({ exportId: id });
  return (await fetch(location ?? '')).text();
};

/** The side of a running service with the import definition of the people. */
export const tidemarkSide = (service: MeasuredService, importId: number, report: Report): Side => {
  const { client, property, call } = service;
  const segment = rememberIds((name) => segmentOf(service, name));
  const count = async (what: string, ask: Promise<{ readonly text: string }>, wanted: number) => {
    const { count: found } = v.parse(countSchema, JSON.parse((await ask).text));
    report.check(`Tidemark: ${what}`, found, wanted);
  };
  let moments = 0;
  return {
    name: 'Tidemark',
    importFile: (rows) => importPeople(service, { importId, ...rows }, report),
    lookUp: async (row) => {
      const { text } = await call('GET', `/v1/${property}/profile?email=${encodeURIComponent(emailOf(row))}`);
      checkPerson(report, text, row);
    },
    page: async (limit) => {
      const path = `/v2/properties/${property}/segments/${await segment('half')}/profiles?limit=${limit}`;
      const { text } = await call('GET', path);
      report.check('Tidemark: a page', v.parse(pageSchema, JSON.parse(text)).paging.count, limit);
    },
    export: async (people) => checkLines(report, await exportEveryone(service), people),
    store: async (record, status) => {
      const answer = await call('POST', `/v1/${property}/profiles`, record);
      report.check('Tidemark: status of a record', answer.status, status);
    },
    count: async (wanted) =>
      count('a count', call('GET', `/v1/${property}/segments/${await segment('half')}`), wanted),
    countCombined: async (wanted) => {
      const definition = { all: [await segment('half'), { not: await segment('third') }] };
      await count(
        'a combined count',
        call('POST', `/v1/${property}/segments/preview`, { definition }),
        wanted,
      );
    },
    freeze: async (wanted) => {
      moments += 1;
      const body = { name: `moment ${moments}`, reference_tile: await segment('half') };
      const { id } = await client.createTimeline({ body });
      return async () => {
        const { moments: taken } = await client.getTimeline({ path: { timeline_id: id } });
        report.check(
          'Tidemark: a moment',
          taken.map((moment) => moment.count),
          [wanted],
        );
      };
    },
  };
};
