import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExamples } from '../../functions/edge/openapi/examples.ts';
import { grantsOf } from '../../functions/grants.ts';
import { manifest } from '../../functions/manifest.ts';
import { extras } from './catalogue.ts';
import { operations } from './operations.ts';
import { declaredActions, openWatched, type Watched } from './permissions.ts';

/** Functions that need no action. The scenes play those that are operations. */
const withoutActions = Object.entries(manifest).flatMap(([name, entry]) =>
  grantsOf(entry).length === 0 && !operations.has(name) ? [name] : [],
);

/** An action of each AWS service without which a function is refused: of a route, where a route calls the service. */
const refusals: Readonly<Record<string, readonly [name: string, action: string]>> = {
  dynamodb: ['createExport', 'dynamodb:PartiQLInsert'],
  iam: ['reconcileTasks', 'iam:PassRole'],
  kms: ['listTimelines', 'kms:Decrypt'],
  logs: ['operator', 'logs:FilterLogEvents'],
  s3: ['getImportJob', 's3:GetObject'],
  scheduler: ['reconcileTasks', 'scheduler:DeleteSchedule'],
  ses: ['announceImport', 'ses:SendEmail'],
  sqs: ['importData', 'sqs:SendMessage'],
  states: ['createExport', 'states:StartExecution'],
  sts: ['testExport', 'sts:AssumeRole'],
};

it('extras are of functions of the manifest', () => {
  const names = extras.flatMap(({ of }) => of);
  expect(names.filter((name) => manifest[name] === undefined)).toEqual([]);
});

it('a function that needs no action has a scene or an extra', () => {
  const played = new Set(extras.flatMap(({ of }) => of));
  const advice = withoutActions
    .filter((name) => !played.has(name))
    .map(
      (name) => `Add \`{ of: ['${name}'], play: async (cast) => … }\` to the extras of a file of test/scenes`,
    );
  expect(advice).toEqual([]);
});

it('an action of each AWS service is taken away', () => {
  const services = new Set(declaredActions.map(({ action }) => action.split(':')[0]));
  expect(Object.keys(refusals)).toEqual([...services].toSorted());
});

describe('the scenes on the running service', () => {
  let watched: Watched;
  beforeAll(async () => {
    watched = await openWatched();
  }, 300_000);
  afterAll(() => watched[Symbol.asyncDispose]());

  it('call every operation', () => {
    expect([...watched.examples.keys()].toSorted()).toEqual([...operations.keys()].toSorted());
  });

  const examples = readExamples();

  it.each([...operations.keys()])('get the answer of the example of %s', (operation) => {
    const played = watched.examples.get(operation);
    expect(played, 'npm run examples writes the examples anew').toEqual(examples.get(operation));
  });

  it.each(declaredActions)(
    'need the right of $name to $action on $to',
    async (asked) => {
      await watched.use(asked);
    },
    // A load of brands takes more than a minute, and a job may have to wait for the entry of a dead writer.
    300_000,
  );

  it.each(withoutActions)('play %s', (name) => watched.play(name));

  it.each(Object.values(refusals))(
    'are refused when %s has no %s',
    async (name, action) => {
      const { message } = await watched.refusal(name, action);
      expect(message).toContain(`is not authorized to perform: ${action} `);
    },
    // A job may have to wait for the journal entry of a writer that was refused something.
    300_000,
  );

  it('store only what is in the list of places', async () => {
    expect(await watched.unplaced(), 'shared/properties/places says where data of people is').toEqual([]);
  });

  it('are refused no action that an entry does not declare', () => {
    expect(watched.undeclared()).toEqual([]);
  });
});
