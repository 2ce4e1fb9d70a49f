import * as v from 'valibot';
import { openPage, type Shown, type WatchedPage } from './browser.ts';
import type { Endpoints } from '../../cli/standalone/endpoints.ts';
import type { Service } from './service.ts';

const account = v.object({ client_id: v.string(), username: v.string(), password: v.string() });

/** Fills in the sign-in of an open console, and waits for its frame. */
export const signIn = async ({ page }: WatchedPage, credentials: unknown): Promise<void> => {
  const { client_id, username, password } = v.parse(account, credentials);
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Client id').fill(client_id);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
};

/** How the signed addresses of files begin: those that take uploads, those of finished exports, and all data of a person. */
const filesOf = ({ aws_endpoint }: Endpoints): readonly string[] =>
  ['uploads', 'exports', 'work'].map((bucket) => `${aws_endpoint}/tidemark-local-${bucket}-`);

/** Opens the console of a service and signs in with the account of the test, or with `credentials`. */
export const openConsole = async (
  { cloud: { endpoints } }: Service,
  shown: Shown = {},
  credentials: unknown = endpoints,
): Promise<WatchedPage> => {
  const opened = await openPage(endpoints.base_url, shown, filesOf(endpoints));
  await opened.page.goto('/console');
  await signIn(opened, credentials);
  return opened;
};
