import { execFileSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { build, type InlineConfig, type Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Drops the style, which is the page's. */
const withoutStyle: Plugin = {
  name: 'without-style',
  generateBundle: (_, bundle) => {
    for (const [name, part] of Object.entries(bundle)) {
      if (part.type === 'asset' && name.endsWith('.css')) Reflect.deleteProperty(bundle, name);
    }
  },
};

/**
 * The same page as one classic script, for report files: without chunks, and with an engine that answers in
 * place of the server. Style and layout engine are those of the page.
 */
const REPORT: InlineConfig = {
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  resolve: { alias: [{ find: './place', replacement: new URL('src/place-file.ts', import.meta.url).pathname }] },
  build: {
    outDir: 'static/report',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    rollupOptions: { input: 'src/main.tsx', output: { format: 'iife', codeSplitting: false, entryFileNames: 'report.js' } },
  },
  plugins: [withoutStyle],
};

/**
 * The same page for static sites: modules, with an engine that opens dropped files in place of the server. Style and layout engine
 * are those of the page.
 */
const SITE: InlineConfig = {
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  base: './',
  resolve: { alias: [{ find: './place', replacement: new URL('src/place-site.ts', import.meta.url).pathname }] },
  build: {
    outDir: 'static/site',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    rollupOptions: {
      input: 'src/main.tsx',
      output: { entryFileNames: 'site.js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
  worker: { format: 'es', rollupOptions: { output: { entryFileNames: 'engine.js' } } },
  plugins: [withoutStyle],
};

/** Files of earlier builds, whose names carry a hash. The engine beside them is cargo's. */
const emptyAssets: Plugin = {
  name: 'empty-assets',
  apply: 'build',
  buildStart: async () => {
    await rm(new URL('static/assets', import.meta.url), { recursive: true, force: true });
  },
};

const otherPlaces: Plugin = {
  name: 'other-places',
  apply: 'build',
  closeBundle: async () => {
    await build(REPORT);
    await build(SITE);
    const layout = (await readdir('static/assets')).find((name) => name.startsWith('layout-'));
    if (layout === undefined) throw new Error('the layout engine was not built');
    // Stored once for both: the server decompresses it, the report file carries it as it is.
    const path = `static/assets/${layout}`;
    execFileSync(process.execPath, ['compress.mjs', path, `${path}.zst`]);
    await rm(path);
  },
};

/**
 * Bundles into web/static, which the program embeds. The page shell is not Vite's (askama renders
 * it), so app and style have fixed names; chunks loaded later carry a hash.
 */
export default defineConfig({
  base: '/',
  publicDir: false,
  plugins: [emptyAssets, otherPlaces],
  build: {
    outDir: 'static',
    emptyOutDir: false,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      input: 'src/main.tsx',
      output: {
        entryFileNames: 'assets/app.js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: ({ names }) => (names.some((n) => n.endsWith('.css')) ? 'assets/app.css' : 'assets/[name]-[hash][extname]'),
      },
    },
  },
  worker: { format: 'es', rollupOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
