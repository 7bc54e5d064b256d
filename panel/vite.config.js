// Builds the panel into dist/panel, as files whose names contain their hash. scripts/build.js compresses them afterwards.
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/panel/',
  build: {
    outDir: '../dist/panel',
    emptyOutDir: true,
    target: 'es2022',
    // The content policy allows no script inside a page, and browsers that know hashes in imports need no polyfill.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // One style sheet: those of the pages are small.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // What every page needs is in two files, instead of one for each combination of pages.
        codeSplitting: {
          groups: [
            { name: 'packages', test: /node_modules/ },
            {
              name: 'parts',
              test: /src\/(?:ui|server|shell|messages\/index|pages\/(?:filters|call-list|call-filter|approval-rows|plots|ladder))/,
            },
          ],
        },
      },
      // TanStack's packages mark modules with "use client", which matters only to server rendering.
      onLog(level, log, next) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log);
      },
    },
  },
});
