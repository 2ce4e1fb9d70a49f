import { describe, expect, it } from 'vitest';
import { jobRef } from '../../functions/exports/task-inputs.ts';
import { logTo } from '../../shared/runtime/log.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';
import { sampleOf } from '../support/scale.ts';
import { traceFinder } from '../support/traces.ts';
import { answered, bytesOf, path, ref } from './steps.ts';
import { bodyOf, exportsHarness, type ExportsHarness, profile, segment } from './harness.ts';

const key = await newPgpKey();
const pgp_public_key = publicText(key);

/** Stands in a name, a cell and a key of the data, and nowhere else. */
const CANARY = 'canary4711';
const isTold = traceFinder(CANARY);

class Killed extends Error {}

/** An encrypted export whose steps run as functions do, and everything that anybody could see of it. */
class Watched {
  readonly made: ExportsHarness;
  calls = 0;
  /** The call at which a worker is killed, and whether later workers are killed too. */
  kill = { at: -1, forGood: false };
  readonly #lines: string[] = [];
  /** Inputs, answers and errors of steps: the history of the workflows. */
  readonly #history: unknown[] = [];
  readonly #items: string[] = [];
  readonly #stored: Uint8Array[] = [];
  readonly #pushed: Uint8Array[] = [];
  #armed = false;
  /** Whether the table has been written since its items were looked at. */
  #isWritten = false;

  constructor() {
    this.made = exportsHarness({ before: (operation) => this.#before(operation) });
    const { made } = this;
    for (let ordinal = 0; ordinal < 30; ordinal += 1) {
      const fields = { email: `${CANARY}.${ordinal}@example.org`, first_name: CANARY };
      const extra = { [CANARY]: `${CANARY} ${ordinal}` };
      made.fakes.profiles.set(ordinal, profile(ordinal, { fields, extra }));
    }
    made.fakes.members.set(segment(2), [...made.fakes.profiles.keys()]);
    made.fakes.send = () => Promise.resolve(answered(204));
    made.fakes.push = async (_, file) => {
      for await (const bytes of file.read(0)) this.#pushed.push(Uint8Array.from(bytes));
      return { kind: 'sent' };
    };
    for (const objects of [made.files, made.work]) this.#tap(objects);
  }

  async create(): Promise<void> {
    bodyOf(
      await this.made.create({
        segment: [segment(2)],
        webhook_url: 'https://hooks.example.com/x',
        notification_email: 'receiver@example.org',
        destination_credentials: { domain: 'files.example.com', client_id: 'receiver' },
        pgp_public_key,
      }),
    );
    this.#armed = true;
  }

  /** All of the workflow. A step that is killed three times fails the job. */
  async run(): Promise<void> {
    const { made } = this;
    const done =
      (await this.#step(made.plan)) &&
      (await this.#step((one) => made.part(one, 0))) &&
      (await this.#step(made.assemble));
    if (!done) this.#armed = false;
    if (!done) await this.#step((one) => made.fail(one, 'Killed'));
    for (const work of [made.startDeliveries, made.pushFile, made.deliver, made.sendEmail]) {
      await this.#step(work);
      // One that broke off is taken over when it must have ended.
      made.fakes.now += 900_000;
      await this.#step(work);
    }
    this.#armed = false;
  }

  async #step(work: (one: typeof ref) => Promise<unknown>): Promise<boolean> {
    const handler = taskHandler(
      jobRef,
      (_: unknown, one) => work(one),
      () => undefined,
      this.log,
    );
    for (let attempt = 0; attempt < 3; attempt += 1)
      try {
        this.#history.push(ref, (await handler(ref)) ?? null);
        return true;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        this.#history.push([error.name, error.message, error.stack]);
        if (!(error instanceof Killed)) throw error;
      }
    return false;
  }

  readonly log = logTo((line) => this.#lines.push(line));

  #before(operation: string): void {
    if (!this.#armed) return;
    if (this.#isWritten) this.#items.push(JSON.stringify(this.made.table.items(), bytesAsText));
    this.#isWritten = /^table (insert|update|put)$/.test(operation);
    this.calls += 1;
    const { at, forGood } = this.kill;
    if (this.calls === at || (forGood && this.calls > at && at > 0)) throw new Killed();
  }

  /**
   * Records the bytes that a store receives, also for objects that are never completed; a worker may be killed between
   * two pieces.
   */
  #tap(objects: ExportsHarness['files']): void {
    const [put, putStream] = [objects.put.bind(objects), objects.putStream.bind(objects)];
    objects.put = (name, body) => {
      this.#stored.push(Buffer.from(body));
      return put(name, body);
    };
    const tapped = async function* (this: Watched, body: AsyncIterable<Uint8Array>) {
      for await (const bytes of body) {
        this.#stored.push(Uint8Array.from(bytes));
        this.#before('piece');
        yield bytes;
      }
    };
    objects.putStream = (name, body) => putStream(name, tapped.call(this, body));
  }

  /** Everything but the profiles themselves, by place. */
  async seen(): Promise<Readonly<Record<string, Buffer>>> {
    const { made } = this;
    const objectsOf = async (objects: ExportsHarness['files']): Promise<Buffer> => {
      const all = await Promise.all(objects.keys().map((name) => objects.get(name)));
      return Buffer.concat([Buffer.from(objects.keys().join()), ...all.flatMap((object) => object ?? [])]);
    };
    const answers = [
      made.read(path),
      made.list(),
      made.readJob(path),
      made.listJobs(path),
      made.listDeliveries(path),
    ];
    return {
      files: await objectsOf(made.files),
      parts: await objectsOf(made.work),
      'bytes given to a store': Buffer.concat(this.#stored),
      'items of the table': Buffer.from(
        [...this.#items, JSON.stringify(made.table.items(), bytesAsText)].join(),
      ),
      logs: Buffer.from(this.#lines.join()),
      'histories of workflows': Buffer.from(JSON.stringify([this.#history, made.started])),
      schedules: Buffer.from(JSON.stringify([...made.schedules.made.values()])),
      webhooks: Buffer.from(JSON.stringify(made.sent)),
      mails: Buffer.from(JSON.stringify(made.mails)),
      'the SFTP server': Buffer.concat(this.#pushed),
      'answers of the API': Buffer.from(JSON.stringify(await Promise.all(answers))),
    };
  }

  /** Writes the canary to a forbidden place. */
  readonly plant: Readonly<Record<string, () => unknown>> = {
    files: () => this.made.files.put('x', CANARY),
    parts: () => this.made.work.put('x', Buffer.from(` ${CANARY}`).toString('base64')),
    'bytes given to a store': () => this.#stored.push(Buffer.from(CANARY, 'utf16le')),
    'items of the table': () =>
      this.made.table.put({ pk: 'P#7#X', sk: 'X' }, { x: Buffer.from(`ab${CANARY}`) }),
    logs: () => this.log('task.failed', { outcome: CANARY }),
    'histories of workflows': () => this.#step(() => Promise.resolve({ name: CANARY })),
    schedules: () =>
      this.made.schedules.create({
        name: CANARY,
        expression: 'cron(0 3 * * ? *)',
        timezone: 'UTC',
        input: '',
        once: false,
      }),
    webhooks: () => this.made.send({ url: 'https://x.example', headers: {}, body: CANARY }),
    mails: () =>
      this.made.mail({
        to: 'x@example.org',
        house: '',
        unsubscribe: null,
        subject: '',
        text: '',
        html: CANARY,
      }),
    'the SFTP server': () => this.#pushed.push(Buffer.from(CANARY)),
    'answers of the API': async () => {
      const seen = await this.made.exports.definition(ref.property, ref.export);
      if (seen) await this.made.exports.updateDefinition(seen, { notification_email: CANARY });
    },
  };
}

/** Bytes of items as the text they would be; in JSON they are lists of numbers. */
const bytesAsText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;

const told = (seen: Readonly<Record<string, Buffer>>): readonly string[] =>
  Object.entries(seen)
    .filter(([, bytes]) => isTold(bytes))
    .map(([place]) => place);

/** Runs an export whose worker is killed at a call. Returns how many calls it made. */
const runKilled = async (at: number, forGood = false): Promise<Watched> => {
  const watched = new Watched();
  await watched.create();
  watched.kill = { at, forGood };
  await watched.run();
  return watched;
};

/** The numbers from 1 to `last`. */
const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

const statusOf = async ({ made }: Watched): Promise<unknown> => bodyOf(await made.readJob(path))['status'];

const decrypted = async ({ made }: Watched): Promise<string> =>
  (await decryptWith(key, await bytesOf(made))).toString();

describe('the data of an encrypted export', () => {
  it('reaches no one but its receiver, wherever a worker is killed', async () => {
    const { calls } = await runKilled(-1);
    expect(calls).toBeGreaterThan(60);
    for (const at of sampleOf(upTo(calls), 5)) {
      const watched = await runKilled(at);
      expect([at, told(await watched.seen())]).toEqual([at, []]);
      expect(await statusOf(watched)).toBe('complete');
      expect(await decrypted(watched)).toContain(CANARY);
    }
  });

  it('reaches no one when a job fails, at whatever call', async () => {
    const { calls } = await runKilled(-1);
    const ends = new Set<unknown>();
    for (const at of sampleOf(upTo(calls), 5)) {
      const watched = await runKilled(at, true);
      expect([at, told(await watched.seen())]).toEqual([at, []]);
      ends.add(await statusOf(watched));
    }
    expect(ends).toEqual(new Set(['failed', 'complete']));
  });

  const places = Object.keys(new Watched().plant);
  it.each(places)('would be noticed in %s', async (place) => {
    const watched = await runKilled(-1);
    const before = await watched.seen();
    expect([Object.keys(before).toSorted(), told(before)]).toEqual([places.toSorted(), []]);
    await watched.plant[place]?.();
    expect(told(await watched.seen())).toContain(place);
  });

  it('is known in whatever form it stands there', () => {
    for (let offset = 0; offset < 6; offset += 1) {
      const around = Buffer.concat([Buffer.alloc(offset, 'x'), Buffer.from(CANARY), Buffer.alloc(3, 'y')]);
      for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const)
        expect(isTold(around.toString(encoding))).toBe(true);
    }
    expect(isTold(Buffer.from(CANARY, 'utf16le'))).toBe(true);
    expect(isTold('canary 4711')).toBe(false);
  });
});
