/** Release files: what the folder `releases` keeps of each release, so that a later version can be tested against it. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';

const FOLDER = resolve(import.meta.dirname, '../../releases');
const place = (version: string, name: string): string => join(FOLDER, version, name);

const TEMPLATES = 'templates.json.gz';
const DATA = 'data.json.gz';
const ANSWERS = 'answers.json.gz';
const ITEM_KINDS = 'item-kinds.json';

/** The versions that have been released. */
export const releases: readonly string[] = existsSync(FOLDER)
  ? readdirSync(FOLDER).toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  : [];

const templates = v.record(v.string(), v.record(v.string(), v.record(v.string(), v.unknown())));
/** CloudFormation templates by stage, then by stack. */
export type StageTemplates = v.InferOutput<typeof templates>;

const texts = v.record(v.string(), v.string());
const answers = v.record(v.string(), v.unknown());

const unzipped = (version: string, name: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(place(version, name))).toString());

const zipped = (value: unknown): Buffer => gzipSync(JSON.stringify(value), { level: 9 });

/** What a release leaves. */
export interface Release {
  readonly templates: StageTemplates;
  /** The attributes of each kind of stored items. */
  readonly itemKinds: Readonly<Record<string, string>>;
  /** The data folder of a stopped service. */
  readonly dataFolder: string;
  /** What this service answered, by request. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Writes the folder of a release. @throws Error when the release has one: a release never changes. */
export const writeRelease = (version: string, release: Release): void => {
  if (releases.includes(version)) throw new Error(`releases/${version} is there; a release never changes.`);
  mkdirSync(join(FOLDER, version), { recursive: true });
  writeFileSync(place(version, TEMPLATES), zipped(release.templates));
  writeFileSync(place(version, ITEM_KINDS), `${JSON.stringify(release.itemKinds, null, 2)}\n`);
  writeFileSync(place(version, DATA), zipped(packed(release.dataFolder)));
  writeFileSync(place(version, ANSWERS), zipped(release.answers));
};

/** The files of a folder as Base64, by their paths. */
const packed = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path).toString('base64')]),
  );

/** The templates of a release. */
export const releasedTemplates = (version: string): StageTemplates =>
  v.parse(templates, unzipped(version, TEMPLATES));

/** The item kinds of a release. */
export const releasedItemKinds = (version: string): Release['itemKinds'] =>
  v.parse(texts, JSON.parse(readFileSync(place(version, ITEM_KINDS), 'utf8')));

/** The answers of the service of a release. */
export const releasedAnswers = (version: string): Readonly<Record<string, unknown>> =>
  v.parse(answers, unzipped(version, ANSWERS));

/** Unpacks the data folder of a release into an empty folder. */
export const unpackData = (version: string, folder: string): void => {
  for (const [path, content] of Object.entries(v.parse(texts, unzipped(version, DATA)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, 'base64');
  }
};
