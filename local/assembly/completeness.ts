import type { Assembly } from './assembly.ts';

/**
 * Resources that the construct tree names and the templates lack. A template from which somebody removed a resource
 * after the synthesis does not start, whatever the resource was for.
 */
export const missingFromTemplates = (assembly: Assembly): readonly string[] =>
  assembly.stacks.flatMap(({ name, template, tree }) =>
    tree
      .filter(({ logicalId, type }) => template.Resources[logicalId]?.Type !== type)
      .map(
        ({ logicalId, type, path }) =>
          `${name}/${logicalId} (${type}) is missing from the template; ${path} made it`,
      ),
  );
