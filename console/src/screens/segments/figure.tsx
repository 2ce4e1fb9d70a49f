/** A count in words: exact, or an estimate that says so. */
import { useApp } from '../../app-context.ts';
import type { Count } from './counts.ts';

/** The number of a count: 486, or about 480. A dash while it is not counted. */
export const Figure = ({ of }: { readonly of: Count | undefined }) => {
  const { texts, format } = useApp();
  if (of === undefined) return <>–</>;
  const people = format.number(of.people);
  return <>{of.read === undefined ? people : texts.segments.about(people)}</>;
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
