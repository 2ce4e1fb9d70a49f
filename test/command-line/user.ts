/** A user of the command line, with a running service of their own. */
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';
import { startService } from '../support/service.ts';
import { type Ended, inProcess, inTerminal } from './run-cli.ts';

/** Starts a service for a user who is not signed in yet; both go when the tests of the file have ended. */
export const newUser = async () => {
  const service = await startService();
  afterAll(() => service[Symbol.asyncDispose]());
  const home = { folder: newFolders()() };
  return {
    service,
    home,
    /** Runs a command as a script does. */
    cli: (...args: readonly string[]) => inProcess(home, args),
    /** Runs a command with an answer to its questions. */
    answering: (answer: string, ...args: readonly string[]) => inProcess(home, args, { answer }),
    terminal: (...args: readonly string[]) => inTerminal(home, args),
    /** The path of a file in the folder. */
    file: (name: string) => join(home.folder, name),
    /** Sends a request as the demo user, beside the command line. */
    api: async (method: string, path: string, body?: unknown) => {
      const options = body === undefined ? {} : { body: JSON.stringify(body) };
      const { text } = await service.call(method, `/v1/${service.property}${path}`, options);
      const answer: unknown = JSON.parse(text);
      return answer;
    },
  };
};

/** The user: a folder with files and sign-ins, the commands, and the service. */
export type User = Awaited<ReturnType<typeof newUser>>;

/** The JSON document that a command printed. */
export const json = <S extends v.GenericSchema>(schema: S, { stdout }: Ended): v.InferOutput<S> =>
  v.parse(schema, JSON.parse(stdout));
