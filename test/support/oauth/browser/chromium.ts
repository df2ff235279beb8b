import { existsSync } from 'node:fs';
import { chromium as playwright, type Browser } from 'playwright-core';

const executablePath = '/usr/bin/chromium';
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Starts the Chromium of this machine without a window; null when there is none. Whoever starts it closes it. */
export const startChromium: (() => Promise<Browser>) | null = existsSync(executablePath) ? () => playwright.launch({ executablePath, args }) : null;
