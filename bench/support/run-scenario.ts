/** Run scenario: measures one scenario, prints its figures, and stores them for the pages. */
import { duration } from '../../cli/terminal.ts';
import { sizesText } from './format.ts';
import { timed } from './measure.ts';
import { clearProgress, printFigures, startReport } from './reporting.ts';
import type { Measured } from './results.ts';
import type { Scenario, SizeName } from './scenario.ts';

/** Where a run puts what it finds. */
interface Ports {
  readonly store: (scenario: Scenario, size: SizeName, measured: Measured) => void;
  readonly say: (line: string) => void;
}

/** Runs a scenario and stores its figures, or says what the machine lacks for it and stores nothing. */
export const runScenario = async (
  scenario: Scenario,
  size: SizeName,
  { store, say }: Ports,
): Promise<void> => {
  const { name, title } = scenario;
  const lacking = scenario.lacks?.();
  if (lacking !== undefined) {
    say(`\n${name}: skipped. ${lacking}`);
    return;
  }
  const report = startReport(name);
  report.progress('starts');
  const { seconds } = await timed(() => scenario.run(size, report)).finally(clearProgress);
  say(`\n${name}: ${title} (${sizesText(scenario.sizesOf(size))}), ${duration(seconds * 1000)}`);
  printFigures(report.figures, say);
  store(scenario, size, { figures: report.figures, chart: report.chartOf(), seconds });
};
