import { defineConfig } from 'vitest/config';

/**
 * Bundles into web/static, which the program embeds. The page shell is not Vite's (askama renders
 * it), so app and style have fixed names; chunks loaded later carry a hash.
 */
export default defineConfig({
  base: '/',
  publicDir: false,
  build: {
    outDir: 'static',
    emptyOutDir: true,
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
