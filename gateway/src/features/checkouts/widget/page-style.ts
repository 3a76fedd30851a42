/** The look of our own pages for shoppers, in light and dark. */
export const PAGE_STYLE = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:light-dark(#fff,#12151c);color:light-dark(#1b2130,#eef1f7);font:1rem/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem}
h1{margin:0 0 1rem;font-size:1.6rem}
h2{margin:0 0 .5rem;font-size:1.1rem}
a{color:light-dark(#1f5fd0,#8ab4ff)}
.soft{color:light-dark(#5b6475,#a9b2c3)}
.columns{display:grid;align-items:start;gap:1.5rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:52rem){.columns{grid-template-columns:minmax(0,1fr) minmax(0,30rem)}}
.goods{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));margin:0;padding:0;list-style:none}
.goods li,.box{padding:1.25rem;border:1px solid light-dark(#d5dae3,#343c4c);border-radius:.75rem}
.goods svg{display:block;width:100%;height:7rem}
.price{font-weight:600}
table{width:100%;border-collapse:collapse}
td,th{padding:.35rem .25rem;border-bottom:1px solid light-dark(#d5dae3,#343c4c);text-align:start;vertical-align:top}
code{font-size:.95em;user-select:all}
td code{white-space:nowrap}
label{display:inline-flex;align-items:center;gap:.5rem;margin-inline-end:1rem}
select,input[type=number]{min-height:2.5rem;padding:0 .5rem;border:1px solid light-dark(#8a93a3,#727c8f);border-radius:.375rem;background:light-dark(#fff,#171b24);color:inherit;font:inherit}
input[type=number]{width:4.5rem}
button.go,a.go{display:inline-block;min-height:3rem;margin-top:1rem;padding:.7rem 1.5rem;border:0;border-radius:.375rem;background:light-dark(#1f5fd0,#8ab4ff);color:light-dark(#fff,#0b1220);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
`;
