// Builds one self-contained html: script and style stand in the page, and the page allows exactly these two, by their digests.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const placeOfData = "DISC_REPORT_DATA";

function digest(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/** The licenses of the packages whose code is in the page, each text once. */
function notices(modules: string[]): string {
  const folders = new Set(modules.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const names = new Map<string, string[]>();
  for (const folder of [...folders].sort()) {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { name: string; version: string };
    const text = readFileSync(`${folder}/LICENSE`, "utf8").trim();
    names.set(text, [...(names.get(text) ?? []), `${name} ${version}`]);
  }
  return [...names].map(([text, packages]) => `${packages.join(", ")}\n\n${text}`).join("\n\n----\n\n");
}

function onePage(): Plugin {
  return {
    name: "one-page",
    enforce: "post",
    generateBundle(_, bundle) {
      let script = "";
      let style = "";
      const modules: string[] = [];
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") {
          script += file.code;
          modules.push(...Object.keys(file.modules));
        }
        else if (name.endsWith(".css")) style += file.source;
        else continue;
        delete bundle[name];
      }
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("vite made no index.html");
      script = script.trim().replaceAll("</script", "<\\/script");
      style = style.trim();
      const policy = [
        "default-src 'none'",
        `script-src ${digest(script)}`,
        `style-src ${digest(style)}`,
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<!-- POLICY -->", `<meta http-equiv="Content-Security-Policy" content="${policy}" />`)
        .replace("</head>", () => `<style>${style}</style>\n  </head>`)
        .replace("</body>", () => `<script id="notices" type="text/plain">\n${notices(modules).replaceAll("<", "&lt;")}\n</script>\n  </body>`)
        .replace("</body>", () => `<script>${script}</script>\n  </body>`);
      if (html.split(placeOfData).length !== 2) throw new Error("the place of the data must occur exactly once");
      delete bundle["index.html"];
      this.emitFile({ type: "asset", fileName: "report.html", source: html });
    },
  };
}

// `npm run dev` shows the data of a report that was made before, the demo's unless DISC_REPORT names another.
function sampleData(): Plugin {
  return {
    name: "sample-data",
    apply: "serve",
    transformIndexHtml(html) {
      const made = process.env.DISC_REPORT ?? "../demo/out/report.html";
      if (!existsSync(made)) throw new Error(`${made} is missing: make demo writes it`);
      const block = /<script id="data"[^>]*>([^<]*)<\/script>/.exec(readFileSync(made, "utf8"));
      return html.replace(placeOfData, () => block?.[1] ?? "");
    },
  };
}

export default defineConfig({
  plugins: [sampleData(), onePage()],
  build: {
    outDir: "../build/report",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    target: "es2022",
    rollupOptions: { output: { format: "iife" } },
  },
});
