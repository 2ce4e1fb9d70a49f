import type { Assembly } from './assembly.ts';

/**
 * Resources that the construct tree of the assembly names and its templates lack: a template that was cut or edited
 * after synthesis is refused, whatever the resource was for.
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
