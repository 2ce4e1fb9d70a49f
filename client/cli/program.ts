/** The words of the command line: commands, options and their help. */
import { Command, type OutputConfiguration } from 'commander';
import { type Act, type Runner, wholeNumber } from './actions.ts';
import { addAddresses } from './commands/addresses.ts';
import { addDefinitions } from './commands/definitions.ts';
import { addExports } from './commands/exports.ts';
import { addImport } from './commands/import.ts';
import { addJobs } from './commands/jobs.ts';
import { addListJobs } from './commands/list-jobs.ts';
import { addPeople } from './commands/people.ts';
import { addSegments } from './commands/segments.ts';
import { addSignIn } from './commands/sign-in.ts';
import { addTimelines } from './commands/timelines.ts';
import { addTokens } from './commands/tokens.ts';
import type { GlobalOptions } from './context.ts';
import { exitCodes } from './failure.ts';

const heading = `Tidemark keeps one profile per person, and puts everyone into the right segments.
Import a file, look at people and segments, export a segment.`;

const examples = `
First steps:
  tidemark login --base-url https://…        sign in (not needed with a service on this machine)
  tidemark import visitors.csv               look at a file, try it, import it
  tidemark retry visitors.rejects.csv        send the rows again that you have corrected
  tidemark segments                          see which segments there are
  tidemark segment create "Jazz, under 65" 'Jazz and not "Age: 65+"'
  tidemark export create --segment Jazz --output jazz.csv

"tidemark help <command>" explains a command. Exit codes: 0 done, 1 refused or failed, 2 wrong use,
3 not signed in, 130 interrupted by Ctrl-C.`;

/** The command that the words of `tidemark help segment create` name. An unknown word is a wrong use of the command before it. */
const named = (program: Command, words: readonly string[]): Command =>
  words.reduce(
    (group, word) =>
      group.commands.find((one) => one.name() === word || one.aliases().includes(word)) ??
      group.error(`error: unknown command '${word}'`),
    program,
  );

/** The program with all commands, and where its help and its errors go. */
export const programWith = (run: Runner, output: OutputConfiguration): Command => {
  const program = new Command('tidemark')
    .description(heading)
    .option('--json', 'print the result as JSON')
    .option('--no-color', 'print without colours, as with NO_COLOR')
    .option('--property <id>', 'the property to work on (default: the property of your sign-in)', wholeNumber)
    .option('--base-url <address>', 'the address of the service (default: of your last sign-in)')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', examples)
    .exitOverride()
    // Commands inherit this when they are added.
    .configureOutput(output);
  const act: Act =
    (action) =>
    (...args) =>
      run(program.opts<GlobalOptions>(), async (context) => (await action(context, ...args)) ?? exitCodes.ok);
  addSignIn(program, act);
  addTokens(program, act);
  program.commandsGroup('Import:');
  addImport(program, act);
  addJobs(program, act);
  addListJobs(program, act);
  program.commandsGroup('People and segments:');
  addSegments(program, act);
  addPeople(program, act);
  program.commandsGroup('Export:');
  addExports(program, act);
  addAddresses(program, act);
  program.commandsGroup('Over time, and as code:');
  addTimelines(program, act);
  addDefinitions(program, act);
  program.commandsGroup('Commands:');
  program
    .command('help')
    .description('explain a command')
    .argument('[command...]', 'its name, for example: segment create')
    .action((words: readonly string[]) => named(program, words).help());
  return program;
};
