export default {
  // Half of the tests wait for processes and disks, so one worker for each core is not too many.
  maxWorkers: '100%',
  // Long enough for a busy machine; no test measures time.
  testTimeout: 60_000,
  testEnvironment: 'node',
  testEnvironmentOptions: { globalsCleanup: 'off' },
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    // Killing commands at their steps takes minutes: `npm run test:crash` does it.
    ...(process.env.CRASH_STEPS === undefined ? ['/test/crash/steps/'] : []),
    // Needs Chromium: `npm run test:browser` does it.
    ...(process.env.BROWSER === undefined ? ['/test/browser/'] : []),
  ],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
};
