/** The choice how a list goes out: by mail, or to a destination that somebody has set up. */
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';
import { destinationsIn, type Destination } from './destinations.ts';

/** Exports that are looked at, the newest first. */
const LISTED = 1_000;

const loadDestinations = async (api: Tidemark, signal: AbortSignal): Promise<readonly Destination[]> => {
  const { exports } = await api.listExports({ query: { order: 'newest', limit: LISTED }, signal });
  return destinationsIn(exports);
};

/** The servers and buckets, as far as they are loaded. */
export const useDestinations = (): readonly Destination[] => {
  const { api } = useApp();
  return useLoad('destinations', (signal) => loadDestinations(api, signal)).data ?? [];
};

/** The choice between a mail (`undefined`) and the servers; nothing without servers. */
export const WayField = (props: {
  readonly destinations: readonly Destination[];
  readonly way: Destination | undefined;
  readonly onChange: (way: Destination | undefined) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.weekly;
  const { destinations, way } = props;
  if (destinations.length === 0) return null;
  return (
    <label class="field">
      <span class="label">{words.way}</span>
      <select
        onChange={({ currentTarget: { value } }) =>
          props.onChange(destinations.find((one) => one.export === value))
        }
      >
        <option value="">{words.byMail}</option>
        {destinations.map((one) => (
          <option key={one.export} value={one.export} selected={one.export === way?.export}>
            {words.place(one.name, one.place)}
          </option>
        ))}
      </select>
    </label>
  );
};
