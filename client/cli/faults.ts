/** Names the options of the user where the service names places in the body of a request. */
import { CommandFailure, exitCodes } from './failure.ts';
import { onProblem } from './problems.ts';

/** The option at a JSON pointer, as the user typed it; `undefined` if no option has this place. */
export type OptionAt = (pointer: string) => string | undefined;

/**
 * The answer of a request. Throws a failure that names options in place of JSON pointers, if a fault of the request has an
 * option.
 */
export const namingOptions = <T>(optionAt: OptionAt, request: Promise<T>): Promise<T> =>
  onProblem(request, (problem) => {
    const { detail, errors } = problem;
    if (errors.every(({ pointer }) => optionAt(pointer) === undefined)) throw problem;
    throw new CommandFailure(
      detail,
      exitCodes.failed,
      errors.map((fault) => `${optionAt(fault.pointer) ?? fault.pointer}: ${fault.detail}`),
    );
  });

/** An option with its value. */
export const optionWith = (option: string, value: string): string => `${option} "${value}"`;

/** The members of a definition that `import` has options for. */
const definitionOptions = new Map([
  ['`encoding`', '--encoding'],
  ['`header_line`', '--header-line'],
]);

/** A sentence of the service about a definition, with options of `import` in place of the members that they set. */
export const withOptionNames = (text: string): string =>
  text.replace(/`[a-z_]+`/g, (member) => definitionOptions.get(member) ?? member);
