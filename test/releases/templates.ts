/** Templates: the stacks that a customer may have deployed, as they are synthesized now. */
import { synthesized } from '../infra/stacks.ts';
import type { StageTemplates } from './release-files.ts';

/** The stages that customers deploy. */
const stages = ['dev', 'prod'];

/** The templates of all stages. The code of their functions is a stub, so that they differ only by what they say. */
export const presentTemplates = (): StageTemplates =>
  Object.fromEntries(
    stages.map((stage) => [
      stage,
      Object.fromEntries(
        synthesized(stage).assembly.stacks.map(({ name, template }) => [name, { ...template }]),
      ),
    ]),
  );
