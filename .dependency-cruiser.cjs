// The rooms of the house and what each may import; see ARCHITECTURE.md. Every room may import platform and the
// event types of events/catalogue.
const room = (from, allowed, extra = []) => ({
  name: `room ${from}`,
  severity: 'error',
  comment: `src/${from} may import only: itself, platform, events/catalogue${allowed.length ? `, ${allowed.join(', ')}` : ''}`,
  from: { path: `^src/${from}/` },
  to: {
    path: '^src/',
    pathNot: [`^src/${from}/`, '^src/platform/', '^src/events/catalogue/', ...allowed.map((name) => `^src/${name}/`), ...extra],
  },
});

module.exports = {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'platform imports no room', severity: 'error', from: { path: '^src/platform/' }, to: { path: '^src/', pathNot: '^src/platform/' } },
    room('events', []),
    room('commands', ['events']),
    room('projections', ['events']),
    room('reactors', ['events', 'commands', 'projections']),
    room('tools', ['commands', 'projections'], ['^src/events/envelope']),
    room('mcp/client', ['commands', 'projections'], ['^src/tools/remoteTools', '^src/events/envelope']),
    room('mcp/server', ['operations'], ['^src/tools/call']),
    room('operations', ['events', 'tools', 'mcp/client', 'commands', 'projections', 'reactors']),
    room('web', ['operations']),
    room('cli', ['operations']),
    room('owner', ['operations']),
    {
      name: 'no tool administers the product',
      severity: 'error',
      comment: 'What a model can call must not reach a command: accepting, enabling, switching, settling and erasing are for people',
      from: { path: '^src/tools/builtin/' },
      to: { path: '^src/(commands|operations|mcp)/' },
    },
    {
      name: 'only the bin file imports app',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/app/' },
      to: { path: '^src/app/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'], exportsFields: ['exports'], conditionNames: ['import', 'node'] },
  },
};
