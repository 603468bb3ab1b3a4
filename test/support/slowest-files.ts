import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1).padStart(7)} s`;
const sumOf = (modules: readonly TestModule[]) =>
  modules.reduce((sum, module) => sum + module.diagnostic().duration, 0);

/** Prints the slowest files of a run of many, and the time of the tests of each layer, so that growth is seen when it begins. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return;
    const slowest = modules.toSorted((a, b) => b.diagnostic().duration - a.diagnostic().duration);
    const layers = [...Map.groupBy(modules, ({ project }) => project.name)];
    const lines = [
      'Time in tests, by layer:',
      ...layers.map(([name, own]) => `${seconds(sumOf(own))}  ${name}, ${own.length} files`),
      'The slowest files:',
      ...slowest
        .slice(0, shown)
        .map((module) => `${seconds(module.diagnostic().duration)}  ${module.relativeModuleId}`),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}
