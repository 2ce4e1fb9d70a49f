/** The screen "Home": what failed, what runs, what came and went, and what comes next. */
import { useApp } from '../app-context.ts';
import { ExportsTable } from '../exports/table.tsx';
import type { Loaded } from '../load.ts';
import { Icon } from '../parts/icon.tsx';
import { Head, Loading, Panel } from '../parts/panel.tsx';
import { linkTo, type Route } from '../route.ts';
import { Failures } from './home/failures.tsx';
import { Files } from './home/files.tsx';
import { NextRuns } from './home/next-runs.tsx';
import { Running } from './home/running.tsx';
import { useOverview, type Overview } from './home/use-overview.ts';
import { Welcome } from './home/welcome.tsx';
import { Name } from './segments/name.tsx';

export const HomeScreen = ({}: { readonly route: Route }) => {
  const { texts, format, can } = useApp();
  const overview = useOverview();
  const { imports, exports, sizes } = overview;
  // Nobody has a segment before the first person.
  const everyone = sizes.data && (sizes.data.segments.find(({ type }) => type === 'everyone')?.count ?? 0);
  const isNew = everyone === 0 && imports.data?.length === 0 && exports.data?.exports.length === 0;
  if (isNew) return <Welcome />;
  const people = everyone === undefined ? undefined : texts.home.people(format.number(everyone), everyone);
  const shown = exports.data?.exports ?? [];
  return (
    <>
      <Head title={texts.home.title} line={people}>
        {can('people.write') && (
          <a class="button main" href={linkTo('import')}>
            <Icon name="import" small />
            {texts.import.title}
          </a>
        )}
      </Head>
      <Failures {...overview} />
      <div class="split">
        <div>
          <Running imports={imports.data ?? []} exports={shown} />
          <Waiting of={imports} />
          <Waiting of={exports} />
          <Files imports={imports.data ?? []} exports={shown} />
          {exports.data && (
            <ExportsTable title={texts.home.exports.title} of={exports.data} onChange={exports.reload} />
          )}
        </div>
        <div>
          <NextRuns timelines={overview.timelines.data ?? []} exports={shown} />
          <Waiting of={overview.timelines} />
          <Largest of={sizes} />
        </div>
      </div>
    </>
  );
};

/** A bar while something loads, and the problem when it did not come. */
const Waiting = ({ of }: { readonly of: Loaded<unknown> }) => (
  <Loading from={of} texts={useApp().texts}>
    {() => null}
  </Loading>
);

const SHOWN = 7;

/** Most conditions were made for a rule of another segment. One that was saved alone is left out, too. */
const isShown = ({ type }: { readonly type: string }): boolean => type !== 'condition';

const Largest = ({ of }: { readonly of: Overview['sizes'] }) => {
  const { texts, format } = useApp();
  const words = texts.home.largest;
  const asOf = of.data?.as_of ?? null;
  return (
    <Panel
      title={words.title}
      aside={<a href={linkTo('segments')}>{words.all}</a>}
      footer={asOf === null ? undefined : words.asOf(format.when(asOf))}
    >
      <Loading from={of} texts={texts}>
        {({ segments }) => (
          <table>
            <thead class="unseen">
              <tr>
                <th scope="col">{words.segment}</th>
                <th scope="col">{words.people}</th>
              </tr>
            </thead>
            <tbody>
              {segments
                .filter(isShown)
                .slice(0, SHOWN)
                .map(({ id, name, type, count }) => (
                  <tr key={id}>
                    <th scope="row">
                      <a href={linkTo('segments', [id])}>
                        <Name of={{ name, type }} texts={texts} />
                      </a>
                    </th>
                    <td class="number">{format.number(count)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        )}
      </Loading>
    </Panel>
  );
};
