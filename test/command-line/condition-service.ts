/** A small service with segments by condition. Each look at a condition prepares it further. */
import { newFolders } from '../../local/test/support/folders.ts';
import * as v from 'valibot';
import { type Reply, startServer } from '../client/small-server.ts';
import { type Ended, inProcess } from './run-cli.ts';

/** A segment of the service. Looks are left until a condition is ready. */
interface Segment {
  readonly id: number;
  name: string;
  readonly type: string;
  readonly where?: unknown;
  definition?: unknown;
  looks: number;
}

const body = v.object({
  name: v.optional(v.string()),
  where: v.optional(v.unknown()),
  definition: v.optional(v.unknown()),
});
type Body = v.InferOutput<typeof body>;

/** What the service begins with, and how it answers previews. */
export interface Beginning {
  readonly segments?: readonly (Pick<Segment, 'name' | 'type'> & Partial<Segment>)[];
  /** Segments whose sizes are measured, from the first; undefined before the first measurement. */
  readonly measured?: number;
  /** Looks until a new condition is ready. */
  readonly looks?: number;
  /** Answers a preview. */
  readonly preview?: (sent: Body) => Reply;
  /** Is called with each request, before the answer. */
  readonly onRequest?: (method: string, path: string) => void;
}

const FIRST = 1_000_000_000_001;

/** Starts the service. `cli` runs a command of a user with its token. */
export const conditionService = async ({
  segments = [],
  measured,
  looks = 2,
  preview = () => previewed({}),
  onRequest,
}: Beginning = {}) => {
  const known: Segment[] = segments.map((one, index) => ({ id: FIRST + index, looks: 0, ...one }));
  const shown = ({ looks: left, ...segment }: Segment): unknown => ({
    ...segment,
    count: left > 0 ? null : 20,
    as_of: '2026-11-29T10:00:00.000Z',
    ...(segment.where === undefined ? {} : { ready: left === 0, progress: left === 0 ? 1 : 0.5 }),
  });
  const add = (sent: Body): Segment => {
    const { name = '', where, definition } = sent;
    const parts = where === undefined ? { type: 'custom', definition } : { type: 'condition', where };
    const made = { id: FIRST + known.length, name, looks: where === undefined ? 0 : looks, ...parts };
    known.push(made);
    return made;
  };
  const create = (sent: Body): Reply => {
    const same = known.find(
      ({ where }) => where !== undefined && JSON.stringify(where) === JSON.stringify(sent.where),
    );
    return { status: same ? 200 : 201, body: shown(same ?? add(sent)) };
  };
  const look = (segment: Segment): Reply => {
    segment.looks = Math.max(0, segment.looks - 1);
    return { body: shown(segment) };
  };
  const server = await startServer((request): Reply => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const path = pathname.replace('/v1/7', '');
    onRequest?.(request.method, path);
    const sent = request.body.length === 0 ? {} : v.parse(body, JSON.parse(String(request.body)));
    const one = known.find(({ id }) => path === `/segments/${id}`);
    switch (`${request.method} ${one === undefined ? path : '/one'}`) {
      case 'GET /segments':
        return { body: listed(known, searchParams) };
      case 'GET /segment-sizes':
        return { body: sizesOf(known, measured) };
      case 'GET /imports':
        return { body: { imports: [umsatzImport], paging: { next_page: null } } };
      case 'POST /segments':
        return create(sent);
      case 'POST /segments/preview':
        return preview(sent);
      case 'GET /one':
        return one === undefined ? gone : look(one);
      case 'PUT /one':
        if (one === undefined) return gone;
        one.name = sent.name ?? one.name;
        return { body: shown(one) };
      default:
        return gone;
    }
  });
  const folder = newFolder();
  const env = { TIDEMARK_BASE_URL: server.url, TIDEMARK_TOKEN: 'given', TIDEMARK_PROPERTY: '7' };
  return {
    folder,
    segments: known,
    /** The bodies that made something, in order. */
    made: () =>
      server.received
        .filter(({ method, url }) => method !== 'GET' && !url.endsWith('/preview'))
        .map((one): unknown => JSON.parse(String(one.body))),
    cli: (args: readonly string[], interrupted?: AbortSignal): Promise<Ended> =>
      inProcess({ folder, env }, args, interrupted === undefined ? {} : { interrupted }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

const newFolder = newFolders();
const umsatzImport = { name: 'CRM', mapping_fields: { field_maps: [{ target_field: 'extra_data.Umsatz' }] } };
const gone: Reply = { status: 404, body: { code: 'not_found', detail: 'No.' } };

/** The answer of a preview. Without other figures, everybody was read. */
export const previewed = (figures: object): Reply => ({
  body: {
    estimate: { count: 20, low: 20, high: 20, profiles_read: 40 },
    conditions: [],
    sample: [],
    as_of: 'now',
    ...figures,
  },
});

/** The answer to a token that may not see people. */
export const mayNotSee: Reply = {
  status: 403,
  body: { code: 'not_permitted', detail: 'No people.', errors: [] },
};

const sizesOf = (known: readonly Segment[], measured: number | undefined) => ({
  segments: known.slice(0, measured ?? 0).map(({ id, name, type }) => ({ id, name, type, count: 20 })),
  as_of: measured === undefined ? null : '2026-11-29T10:00:00.000Z',
  paging: { next_page: null },
});

/** A condition that is not ready is only in the list of its type. */
const listed = (known: readonly Segment[], query: URLSearchParams): readonly unknown[] => {
  const [name, type] = [query.get('name'), query.get('type')];
  return known
    .filter((segment) => name === null || segment.name.toLowerCase() === name.toLowerCase())
    .filter((segment) => (type === null ? segment.looks === 0 : segment.type === type))
    .toSorted((one, two) => (query.get('order') === 'newest' ? two.id - one.id : one.id - two.id))
    .map(({ id, name: own, type: kind }) => ({ id, name: own, type: kind }));
};
