import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { listening, type Listening } from '../support/listening.ts';
import { stubAws } from './aws-environment.ts';

const call = v.object({ stateMachineArn: v.string(), name: v.string(), input: v.string() });

const ARN = 'arn:aws:states:eu-west-1:1:stateMachine:import';

/** Executions that began, by their names. Step Functions refuses a name that it knows. */
const begun = new Map<string, string>();
let server: Listening;

const answer = (sent: string): { readonly status: number; readonly body: object } => {
  const { name, input } = v.parse(call, JSON.parse(sent));
  if (begun.has(name)) return { status: 400, body: { __type: 'ExecutionAlreadyExists' } };
  begun.set(name, input);
  return { status: 200, body: { executionArn: 'x', startDate: 0 } };
};

beforeAll(async () => {
  const answering = createServer((request, response) => {
    void text(request).then((sent) => {
      const { status, body } = answer(sent);
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(body));
    });
  });
  server = await listening(answering);
  stubAws(server.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server[Symbol.asyncDispose]();
});

it('an execution begins once, and once more after a restore has put another table in place', async () => {
  for (const table of ['tidemark-prod', 'tidemark-prod', 'tidemark-prod-20261123'])
    await workflow(ARN, table).start('p7-undo-7000000001-0', { table });
  expect([...begun.values()].map((input): unknown => JSON.parse(input))).toEqual([
    { table: 'tidemark-prod' },
    { table: 'tidemark-prod-20261123' },
  ]);
  for (const name of begun.keys()) expect(name).toMatch(/^p7-undo-7000000001-0-[0-9a-f]{8}$/);
});
