/** Servers and buckets that somebody has set up for an export: further exports may go there. */
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';

/** A server or a bucket, and the export that it was set up for. */
export interface Destination {
  readonly export: string;
  readonly name: string;
  readonly place: string;
}

/** Exports that are looked at, the newest first. */
const LISTED = 1_000;

const loadDestinations = async (api: Tidemark, signal: AbortSignal): Promise<readonly Destination[]> => {
  const { exports } = await api.listExports({ query: { order: 'newest', limit: LISTED }, signal });
  const found = exports.flatMap((one): readonly Destination[] => {
    const { id, directory, destination_credentials: server, s3_destination: bucket } = one;
    const host = server ? `${server.client_id}@${server.domain}` : bucket?.bucket;
    if (host === undefined) return [];
    return [{ export: id, name: one.name ?? id, place: directory === null ? host : `${host}, ${directory}` }];
  });
  // Of several exports to one place it is the oldest, for which the place was set up.
  return [...new Map(found.map((one) => [one.place, one])).values()];
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
