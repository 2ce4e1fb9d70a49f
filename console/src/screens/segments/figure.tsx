/** A count in words: exact, or an estimate that says so. */
import { useApp } from '../../app-context.ts';
import { linkTo } from '../../route.ts';
import type { Count } from './counts.ts';
import { wordsOf, type Definition } from './definition.ts';

/** The number of a count: 486, or about 480. A dash while it is not counted. */
export const Figure = ({ of }: { readonly of: Count | undefined }) => {
  const { texts, format } = useApp();
  if (of === undefined) return <>–</>;
  const people = format.number(of.people);
  return <>{of.read === undefined ? people : texts.segments.about(people)}</>;
};

/** The link to the people of a count: the builder with their rules. `undefined` where that would show nobody. */
export const usePeopleLink = () => {
  const { can } = useApp();
  return (definition: Definition, count: Count | undefined): string | undefined => {
    const words = wordsOf(definition);
    const isShown = can('people.read') && can('definitions.write') && words !== undefined;
    return isShown && count !== undefined && count.people > 0
      ? linkTo('segments', ['new', ...words])
      : undefined;
  };
};

/** How a count was made: exact, as of a time; or from how many people an estimate is. */
export const Origin = ({ of }: { readonly of: Count }) => {
  const { texts, format } = useApp();
  return (
    <>
      {of.read === undefined
        ? texts.segments.exactAsOf(format.clock(of.asOf))
        : texts.segments.estimateFrom(format.number(of.read))}
    </>
  );
};
