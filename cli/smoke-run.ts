/** The smoke run: the sample of the demo through a stage, by its public address and its operator functions alone. */
import { Tidemark } from '../client/src/index.ts';
import { figuresOf, isAsPlanted, type Figure } from './demo-figures.ts';
import { exportAndFollow, findSegment, importFile, lookUp, pageThrough } from './demo-steps.ts';
import { makeSample } from './sample.ts';
import { openRun, removeRuns, runName, type AskStage, type Removed } from './smoke-account.ts';
import { step } from './terminal.ts';

/** The stage under test. */
export interface SmokeStage {
  readonly ask: AskStage;
  /** The public address of the service. */
  readonly address: string;
  readonly rows: number;
  readonly now: () => number;
}

/** The sections of the runbook that help when a step fails. */
export const sections = {
  health: 'First',
  operator: 'Operator commands',
  signIn: 'A write fails',
  imports: 'Imports',
  reads: 'A read fails',
  exports: 'Exports',
  figures: 'Find the section',
} as const;

const HEALTH_MS = 30_000;

/**
 * Sends the sample through the stage, and deletes what it made, also after a failure. Throws one sentence with the
 * section of the runbook when a step fails or a figure is not as planted.
 */
export const smoke = async (stage: SmokeStage): Promise<readonly Figure[]> => {
  await guided('health', () => askHealth(stage.address));
  const name = runName(stage.now());
  let failure: unknown;
  try {
    return await sendThrough(stage, name);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await cleanUp(stage, name).catch((error: unknown) => {
      // Both sentences help: that of the stage's fault comes first.
      throw failure === undefined ? error : new Error(`${messageOf(failure)} ${messageOf(error)}`);
    });
  }
};

/** Deletes what the run of a name made, and what ended runs left. Without a name only the latter. */
export const cleanUp = ({ ask, now }: Pick<SmokeStage, 'ask' | 'now'>, own?: string): Promise<Removed> =>
  guided('operator', () =>
    step(
      own === undefined ? 'Delete what earlier runs left' : 'Delete what the run made',
      () => removeRuns(ask, own, now()),
      tellRemoved,
    ),
  );

const accounts = (many: number): string => `${many} ${many === 1 ? 'account' : 'accounts'}`;

const tellRemoved = ({ gone, spared, waiting }: Removed): string => {
  const last = waiting
    .map(({ again }) => again)
    .toSorted()
    .at(-1);
  const facts = [
    ...(gone > 0 ? [`${accounts(gone)} deleted`] : []),
    ...(last === undefined
      ? []
      : [`no data is left; ${accounts(waiting.length)} can go after ${last}: --clean-up, or the next run`]),
    ...(spared > 0 ? [`${accounts(spared)} of runs of the last hour left alone`] : []),
  ];
  return facts.length === 0 ? 'nothing was left' : facts.join('; ');
};

const askHealth = (address: string): Promise<void> =>
  step(
    'Ask for the health of the service',
    async () => {
      const asked = fetch(`${address}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) });
      const { status } = await asked.catch((error: unknown) => {
        // The cause says whether the name, the certificate or the connection failed.
        const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
        throw new Error(`${address} does not answer: ${messageOf(cause)}.`, { cause: error });
      });
      if (status !== 200) throw new Error(`${address} answers ${status}.`);
    },
    () => address,
  );

const sendThrough = async ({ ask, address, rows }: SmokeStage, name: string): Promise<readonly Figure[]> => {
  const access = await guided('operator', () =>
    step(
      'Make an account for the run',
      () => openRun(ask, name),
      ({ property }) => `${name} with property ${property}`,
    ),
  );
  const client = await guided('signIn', () =>
    step(
      'Sign in',
      () =>
        Tidemark.signIn({
          baseUrl: address,
          clientId: access.client_id,
          username: access.username,
          password: access.password,
          propertyId: access.property,
        }),
      () => access.username,
    ),
  );
  const sample = makeSample(rows);
  const { counts } = await guided('imports', () => importFile(client, sample));
  await guided('reads', () => lookUp(client, sample.email));
  const segment = await guided('reads', () => findSegment(client, sample.planted.tag));
  const members = await guided('reads', () => pageThrough(client, segment));
  const exported = await guided('exports', () => exportAndFollow(client, segment));
  const figures = figuresOf(sample, { ...counts, members, exported: exported.rows });
  const wrong = figures.filter((figure) => !isAsPlanted(figure));
  if (wrong.length > 0) {
    const told = wrong.map(([what, seen, planted]) => `${what} ${seen} instead of ${planted}`).join(', ');
    await guided('figures', () => Promise.reject(new Error(`Figures differ: ${told}.`)));
  }
  return figures;
};

/** Runs a step. Its failure names the section of the runbook that helps. */
const guided = async <T>(section: keyof typeof sections, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${messageOf(error)} See docs/runbook.md, "${sections[section]}".`, { cause: error });
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
