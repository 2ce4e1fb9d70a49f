/** `npm run cli -- <command>`: the data command line `tidemark` on the service that `npm start` runs, without a login. */
import { readFile } from 'node:fs/promises';
import { ENDPOINTS_FILE, runningService } from './standalone/endpoints.ts';
import { runProcess } from '../client/cli/process.ts';
import type { LocalService } from '../client/cli/session/choose.ts';
import * as v from 'valibot';
import { endpointsSchema } from './endpoints.ts';

const localService = async (): Promise<LocalService | undefined> => {
  if ((await runningService(ENDPOINTS_FILE)) === undefined) return undefined;
  const content: unknown = JSON.parse(await readFile(ENDPOINTS_FILE, 'utf8'));
  const endpoints = v.safeParse(endpointsSchema, content);
  if (!endpoints.success) return undefined;
  const { base_url, client_id, username, password, property_id } = endpoints.output;
  return { baseUrl: base_url, clientId: client_id, username, password, propertyId: property_id };
};

process.exitCode = await runProcess({
  // npm runs scripts in the root of the project; files of the user are relative to the folder of the user.
  cwd: process.env['INIT_CWD'] ?? process.cwd(),
  localService,
});
