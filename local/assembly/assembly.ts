/** Cloud assembly: reads the templates, assets and construct tree that CDK wrote, for the deployment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { DeploymentError, TemplateShape, type Template } from './template.ts';

const Manifest = v.object({
  artifacts: v.record(
    v.string(),
    v.object({ type: v.string(), properties: v.optional(v.record(v.string(), v.unknown()), {}) }),
  ),
});

const Assets = v.object({
  files: v.optional(
    v.record(
      v.string(),
      v.object({
        source: v.object({ path: v.optional(v.string()), packaging: v.optional(v.string()) }),
        destinations: v.record(v.string(), v.object({ objectKey: v.string() })),
      }),
    ),
    {},
  ),
});

interface TreeNode {
  readonly id: string;
  readonly children?: Readonly<Record<string, TreeNode>> | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

const TreeNode: v.GenericSchema<TreeNode> = v.object({
  id: v.string(),
  children: v.optional(
    v.record(
      v.string(),
      v.lazy(() => TreeNode),
    ),
  ),
  attributes: v.optional(v.record(v.string(), v.unknown())),
});
const Tree = v.object({ tree: TreeNode });

/** A resource that the construct tree names. The template must contain it. */
interface TreeResource {
  readonly path: string;
  readonly logicalId: string;
  readonly type: string;
}

/** One stack of a cloud assembly: its template, the resources of its constructs, and its assets by object key. */
export interface StackAssembly {
  readonly name: string;
  readonly template: Template;
  readonly tree: readonly TreeResource[];
  /** Object key in the asset bucket → directory (or file) on disk. */
  readonly assets: Readonly<Record<string, string>>;
}

/** A cloud assembly read from disk. */
export interface Assembly {
  readonly directory: string;
  readonly stacks: readonly StackAssembly[];
}

/**
 * Reads `manifest.json`, the templates, the asset manifests and the construct tree. `settle` may change the text of a
 * file first. Throws DeploymentError.
 */
export const readAssembly = (
  directory: string,
  settle: (text: string) => string = (text) => text,
): Assembly => {
  const read = <S extends v.GenericSchema>(file: string, schema: S): v.InferOutput<S> =>
    readJson(join(directory, file), schema, settle);
  const { artifacts } = read('manifest.json', Manifest);
  const { tree } = read('tree.json', Tree);
  const stacks = Object.entries(artifacts).flatMap(([id, artifact]): StackAssembly[] => {
    if (artifact.type !== 'aws:cloudformation:stack') return [];
    const template = read(fileOf(id, artifact.properties, 'templateFile'), TemplateShape);
    const assetFile = artifacts[`${id}.assets`]?.properties['file'];
    const assets = typeof assetFile === 'string' ? assetsOf(read(assetFile, Assets), directory) : {};
    return [{ name: id, template, assets, tree: resourcesBelow(tree, id) }];
  });
  return { directory, stacks };
};

const fileOf = (id: string, properties: Readonly<Record<string, unknown>>, name: string): string => {
  const file = properties[name];
  if (typeof file !== 'string') throw new DeploymentError([`${id}: the assembly names no ${name}`]);
  return file;
};

const readJson = <S extends v.GenericSchema>(
  file: string,
  schema: S,
  settle: (text: string) => string,
): v.InferOutput<S> => {
  const parsed = v.safeParse(schema, JSON.parse(settle(readFileSync(file, 'utf8'))));
  if (parsed.success) return parsed.output;
  throw new DeploymentError(
    parsed.issues.map((issue) => `${file}: ${v.getDotPath(issue) ?? ''} ${issue.message}`),
  );
};

const assetsOf = (assets: v.InferOutput<typeof Assets>, directory: string): Record<string, string> => {
  const byKey: Record<string, string> = {};
  for (const { source, destinations } of Object.values(assets.files)) {
    if (source.path === undefined) continue;
    for (const { objectKey } of Object.values(destinations)) byKey[objectKey] = join(directory, source.path);
  }
  return byKey;
};

const resourcesBelow = (root: TreeNode, stack: string): TreeResource[] => {
  const found: TreeResource[] = [];
  const visit = (node: TreeNode, path: string): void => {
    const type = node.attributes?.['aws:cdk:cloudformation:type'];
    const logicalId = node.attributes?.['aws:cdk:cloudformation:logicalId'];
    if (typeof type === 'string' && typeof logicalId === 'string') found.push({ path, logicalId, type });
    for (const child of Object.values(node.children ?? {})) visit(child, `${path}/${child.id}`);
  };
  const top = root.children?.[stack];
  if (top) visit(top, stack);
  return found;
};
