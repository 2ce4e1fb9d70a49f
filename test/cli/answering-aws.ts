/** AWS for tests of the operator's calls: a server that answers them as a test says. */
import { createServer } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { listening } from '../support/listening.ts';

/** The answers by a part of the call, and the calls so far: the operation and the body, or the path and the body. */
export interface AnsweringAws {
  readonly answers: Map<string, readonly [status: number, body: string]>;
  readonly calls: string[];
}

/** Sends all calls to AWS of the tests of this `describe` to a server. */
export const answeringAws = (): AnsweringAws => {
  const answers: AnsweringAws['answers'] = new Map();
  const calls: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const target = request.headers['x-amz-target'];
      const named = typeof target === 'string' ? target : `${request.method ?? ''} ${request.url ?? ''}`;
      const call = `${named} ${body}`;
      calls.push(call);
      const [status, text] = [...answers].find(([part]) => call.includes(part))?.[1] ?? [500, ''];
      response.writeHead(status).end(text);
    });
  });
  const kept = { ...process.env };
  beforeAll(async () => {
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: (await listening(server)).url,
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
  });
  afterAll(() => {
    process.env = kept;
    server.close();
  });
  return { answers, calls };
};

/** An answer of CloudFormation to an action, with this inside. */
export const cloudFormationAnswer = (action: string, inner: string): readonly [status: 200, body: string] => [
  200,
  `<${action}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><${action}Result>${inner}</${action}Result></${action}Response>`,
];

/** The answer of CloudFormation about its only stack, of which it says this. */
export const stackAnswer = (inner: string) =>
  cloudFormationAnswer('DescribeStacks', `<Stacks><member>${inner}</member></Stacks>`);
