import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { createLogs } from '../../local/services/lambda/logs.ts';
import { createRunner } from '../../local/services/lambda/runner.ts';
import { newFolders, ofCheckout } from '../../local/test/support/folders.ts';
import { apiEvent } from '../support/api-event.ts';
import { until } from '../support/until.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = newFolders(ofCheckout)();

/** A route that makes a call, waits, and makes another call. `unfenced` reports when its code has gone on. */
const source = `
import { appendFileSync } from 'node:fs';
import { httpHandler } from '${root}/shared/edge/http-handler.ts';
import { callInTime } from '${root}/shared/runtime/deadline.ts';
import { systemIds } from '${root}/shared/runtime/ids.ts';
const note = (file, line) => appendFileSync('${folder}/' + file, line + '\\n');
const call = (line) => callInTime(() => Promise.resolve(note('calls', line)));
export const handler = httpHandler('POST x', { clock: Date.now, ids: systemIds, log: () => {} }, async ({ body }) => {
  const { name, waits } = JSON.parse(body);
  await call(name + ' begins');
  await new Promise((done) => setTimeout(done, waits));
  note('unfenced', name + ' goes on at ' + Date.now());
  await call(name + ' ends');
  return { ok: true, value: { status: 204 } };
});
`;

const answerSchema = v.pipe(v.string(), v.parseJson(), v.looseObject({ statusCode: v.number() }));

it('a late route that was frozen and is thawed by the next request makes no further call', async () => {
  writeFileSync(join(folder, 'source.ts'), source);
  const file = join(folder, 'index.mjs');
  buildSync({
    entryPoints: [join(folder, 'source.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: file,
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const logs = createLogs(join(folder, 'logs'));
  const fn = {
    name: 'f',
    arn: 'arn:f',
    file,
    exportName: 'handler',
    env: {},
    memoryMb: 64,
    timeoutSeconds: 1,
  };
  const runner = createRunner({
    logs,
    functions: [{ ...fn, logGroup: '/f', mostSandboxes: 1 }],
  });
  const post = async (name: string, waits: number): Promise<number> => {
    const outcome = await runner.invoke(
      'f',
      JSON.stringify(apiEvent({ method: 'POST', body: { name, waits } })),
    );
    return v.parse(answerSchema, outcome.ok ? outcome.payload : '{}').statusCode;
  };
  const linesOf = (name: string): readonly string[] =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim().split('\n') : [];
  try {
    // The route answers by itself 300 ms after its start, and its code would go on after 600 ms.
    expect(await post('late', 600)).toBe(503);
    const due = Date.now() + 600;
    await until('the time at which it would go on', () => Date.now() > due || undefined);
    expect(linesOf('unfenced')).toEqual([]);
    const thawed = Date.now();
    expect(await post('next', 100)).toBe(204);
    const wentOn = linesOf('unfenced').map((line) => Number(line.split(' at ')[1]));
    expect(wentOn).toHaveLength(2);
    expect(Math.min(...wentOn)).toBeGreaterThanOrEqual(thawed);
    expect(linesOf('calls')).toEqual(['late begins', 'next begins', 'next ends']);
  } finally {
    await runner.end();
    await logs.close();
  }
});
