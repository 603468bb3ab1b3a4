import type { Reporter, TestModule, TestSpecification } from 'vitest/node';
import { plantedFault } from '../planted/plant.ts';
import { recordDurations } from './durations.ts';
import { limitMs } from './pace.ts';
import { samples } from './thoroughness.ts';

const shown = 10;
const secondsOf = (module: TestModule) => module.diagnostic().duration / 1_000;
const line = (seconds: number, text: string) => `${seconds.toFixed(1).padStart(7)} s  ${text}`;
const sumOf = (modules: readonly TestModule[]) => modules.reduce((sum, module) => sum + secondsOf(module), 0);

/**
 * Of a run of many files, prints the slowest ones and the time of the tests of each layer, and records how long each would have
 * taken on a quiet machine, so that growth is seen when it begins.
 */
export class SlowestFiles implements Reporter {
  /** How many times longer this machine took than a quiet one, before the run. */
  #slowness: Promise<number> | undefined;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#slowness = files.length > shown ? limitMs(1) : undefined;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (this.#slowness === undefined) return;
    const slowest = modules.toSorted((a, b) => secondsOf(b) - secondsOf(a));
    const layers = [...Map.groupBy(modules, ({ project }) => project.name)];
    const lines = [
      'Time in tests, by layer:',
      ...layers.map(([name, own]) => line(sumOf(own), `${name}, ${own.length} files`)),
      'The slowest files:',
      ...slowest.slice(0, shown).map((module) => line(secondsOf(module), module.relativeModuleId)),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
    // A thorough run does more, and one with a planted fault something else.
    if (!samples({ few: true, many: false }) || process.env[plantedFault] !== undefined) return;
    const slowness = Math.max(await this.#slowness, await limitMs(1));
    recordDurations(
      Object.fromEntries(modules.map((module) => [module.relativeModuleId, secondsOf(module) / slowness])),
    );
  }
}
