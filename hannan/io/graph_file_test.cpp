#include "hannan/io/graph_file.hpp"

#include <gtest/gtest.h>

#include <string>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace graph_file_test {

// "a>b" for every edge, by ids, with spaces between.
std::string edges_of(const Graph& graph) {
  std::string all;
  for (const auto& edge : graph.edges) {
    all += (all.empty() ? "" : " ") + graph.vertices[edge.from].id + ">" + graph.vertices[edge.to].id;
  }
  return all;
}

std::string read(std::string_view text, const GraphOptions& options = {}) {
  return edges_of(parse_graph(text, "g", options));
}

// The complaint, "H202 at g:3" and so on; the message must hold `part`.
std::string complaint(std::string_view text, std::string_view part, const GraphOptions& options = {}) {
  try {
    parse_graph(text, "g", options);
  } catch (const Error& e) {
    EXPECT_NE(e.message().find(part), std::string::npos) << e.what();
    EXPECT_NE(e.message().find("expected"), std::string::npos) << e.what();
    return code_name(e.code()) + " at " + e.at();
  }
  return "no complaint";
}

TEST(EdgeList, IsReadWhateverSeparatesItsCells) {
  for (const char* text : {"a,b\nb,c\n", "a\tb\nb\tc", "a;b\r\nb;c\r\n", "a b\nb   c\n", " a , b \n\nb,c\n",
                           "a,b,0.5,x\nb,c,0.1,y\n", "# roads\na,b\n  # more\nb,c\n",
                           "\xEF\xBB\xBF"
                           "a,b\nb,c\n",
                           "\"a\",b\nb,\"c\"\n"}) {
    EXPECT_EQ(read(text), "a>b b>c") << text;
  }
}

TEST(EdgeList, KnowsAHeaderByItsWords) {
  EXPECT_EQ(read("from,to\na,b\n"), "a>b");
  EXPECT_EQ(read("Length,Target,Source\n3,b,a\n"), "a>b");
  EXPECT_EQ(read("x,y\na,b\n"), "x>y a>b");
  EXPECT_EQ(read("x,y\na,b\n", {.header = true}), "a>b");
  EXPECT_EQ(read("from,to\na,b\n", {.header = false}), "from>to a>b");
}

TEST(EdgeList, KeepsParallelEdgesLoopsAndLines) {
  const Graph graph = parse_graph("a b\n\na b\nb b\n", "g", {.directed = false});
  // Undirected: as written, then back; a loop is its own way back.
  EXPECT_EQ(edges_of(graph), "a>b b>a a>b b>a b>b");
  EXPECT_EQ(graph.edges[0].line, 1u);
  EXPECT_EQ(graph.edges[3].line, 3u);
  EXPECT_EQ(graph.edges[4].line, 4u);
}

TEST(EdgeList, BadOnesAreRefusedWithTheirLine) {
  EXPECT_EQ(complaint("a,b\nb\n", "found 1 column"), "H202 at g:2");
  EXPECT_EQ(complaint("a,b\n,c\n", "empty cell"), "H202 at g:2");
  EXPECT_EQ(complaint("", "no edge"), "H206 at g");
  EXPECT_EQ(complaint("# nothing\n", "no edge"), "H206 at g");
  EXPECT_EQ(complaint("from,to\n", "no edge"), "H206 at g");
  EXPECT_EQ(complaint("a,b\nc\xFF,d\n", "not UTF-8"), "H202 at g:2");
}

constexpr std::string_view kTown = R"(<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="label" attr.type="string"/>
  <graph id="G" edgedefault="undirected">
    <edge source="n0" target="n1"/>
    <node id="n0"><data key="d0"> Mill &amp; Co </data><data key="d9">no label</data></node>
    <node id="n1"/>
    <edge source="n1" target="n0" directed="true"><data key="d0">not a node</data></edge>
  </graph>
</graphml>
)";

TEST(Graphml, IsReadWithLabelsAndDirections) {
  const Graph graph = parse_graph(kTown, "g");
  EXPECT_EQ(edges_of(graph), "n0>n1 n1>n0 n1>n0");
  EXPECT_EQ(graph.vertices[0].label, "Mill & Co");
  EXPECT_EQ(graph.vertices[1].label, "");
  EXPECT_EQ(graph.edges[2].line, 8u);
}

TEST(Graphml, TakesPrefixesNestedGraphsAndDrawnLabels) {
  const Graph graph = parse_graph(R"(<g:graphml xmlns:g="x" xmlns:y="z"><g:graph edgedefault="directed">
    <g:node id="a"><g:data key="k"><y:NodeLabel>Alpha</y:NodeLabel></g:data>
      <g:graph edgedefault="undirected"><g:node id="b"/><g:edge source="b" target="a"/></g:graph></g:node>
    <g:edge source="a" target="b"/></g:graph></g:graphml>)",
                                  "g");
  EXPECT_EQ(edges_of(graph), "b>a a>b a>b");
  // The inner node ends first, so it is numbered first.
  EXPECT_EQ(graph.vertices[1].label, "Alpha");
}

TEST(Graphml, BadOnesAreRefusedWithTheirLine) {
  const auto graph = [](std::string_view inside) {
    return "<graphml>\n<graph edgedefault='directed'>\n<node id='a'/><node id='b'/>\n" + std::string(inside) +
           "\n</graph></graphml>";
  };
  EXPECT_EQ(complaint(graph(""), "no edge"), "H206 at g");
  EXPECT_EQ(complaint(graph("<edge source='a' target='c'/>"), "node \"c\""), "H202 at g:4");
  EXPECT_EQ(complaint(graph("<edge source='a'/>"), "without \"target\""), "H202 at g:4");
  EXPECT_EQ(complaint(graph("<node id='a'/>"), "second node \"a\""), "H202 at g:4");
  EXPECT_EQ(complaint(graph("<node/>"), "without \"id\""), "H202 at g:4");
  EXPECT_EQ(complaint(graph("<edge source='a' target='b' directed='maybe'/>"), "maybe"), "H202 at g:4");
  EXPECT_EQ(complaint(graph("<hyperedge/>"), "hyperedge"), "H202 at g:4");
  EXPECT_EQ(complaint(graph("<edge source='a' target='b'>"), "mismatched tag"), "H202 at g:5:3");
  EXPECT_EQ(complaint("<graphml>\n<graph edgedefault='directed'>", "no element found"), "H207 at g:2:31");
  EXPECT_EQ(complaint("<html><graph/></html>", "<html>"), "H202 at g:1");
  EXPECT_EQ(complaint("<graphml><graph/></graphml>", "edgedefault"), "H202 at g:1");
  EXPECT_EQ(complaint("<graphml><edge source='a' target='b'/></graphml>", "outside"), "H202 at g:1");
  EXPECT_EQ(
      complaint("<graphml><graph edgedefault='directed'/>\n<graph edgedefault='directed'/></graphml>", "second graph"),
      "H202 at g:2");
  EXPECT_EQ(complaint("<!DOCTYPE graphml [\n<!ENTITY a \"aaaa\">]><graphml/>", "entity"), "H202 at g:2");
  EXPECT_EQ(complaint(
                "<graphml>" +
                    [] {
                      std::string deep;
                      for (int i = 0; i < 2000; ++i) deep += "<a>";
                      return deep;
                    }(),
                "inside each other"),
            "H202 at g:1");
}

TEST(Gml, IsReadWithLabelsAndPassesOverTheRest) {
  const Graph graph = parse_graph(
      "Creator \"someone [ \"\n# a comment\nVersion 1\ngraph [\n  label \"x\"\n  meta [ deep [ a 1 ] node 3 ]\n"
      "  node [ id 0 label \"S&#228;o &quot;P&quot;\" graphics [ x 1.5 ] ]\n  node [ id 7 ]\n"
      "  edge [ source 7 target 0\n id \"e\" ]\n]\n",
      "g");
  EXPECT_EQ(edges_of(graph), "7>0 0>7");
  EXPECT_EQ(graph.vertices[0].label, "S\xC3\xA4o \"P\"");
  EXPECT_EQ(graph.edges[0].line, 9u);
}

TEST(Gml, SaysItselfWhetherItIsDirected) {
  const std::string body = "node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ]";
  EXPECT_EQ(read("graph [ directed 1 " + body + " ]"), "1>2");
  EXPECT_EQ(read("graph [ " + body + " directed 1 ]"), "1>2");
  EXPECT_EQ(read("graph [ directed 0 " + body + " ]"), "1>2 2>1");
  EXPECT_EQ(read("graph [ " + body + " ]", {.directed = true}), "1>2");
}

TEST(Gml, BadOnesAreRefusedWithTheirLine) {
  EXPECT_EQ(complaint("graph [\n node [ id 0 ]\n node [ id 0 ] ]", "second node \"0\""), "H202 at g:3");
  EXPECT_EQ(complaint("graph [\n node [ id 0 ]\n edge [ source 0 target 1 ] ]", "node \"1\""), "H202 at g:3");
  EXPECT_EQ(complaint("graph [\n node [ label \"a\" ] ]", "without \"id\""), "H202 at g:2");
  EXPECT_EQ(complaint("graph [ node [ id 0 ] ]", "no edge"), "H206 at g");
  EXPECT_EQ(complaint("graph [\n node [ id 0", "list \"node\" of line 2"), "H207 at g:2");
  EXPECT_EQ(complaint("graph [\n meta [ a 1", "list \"meta\" of line 2"), "H207 at g:2");
  EXPECT_EQ(complaint("graph [\n label \"abc", "never closed"), "H202 at g:2");
  EXPECT_EQ(complaint("graph [\n directed yes ]", "directed \"yes\""), "H202 at g:2");
  EXPECT_EQ(complaint("graph [\n node ]", "the value of \"node\""), "H202 at g:2");
  EXPECT_EQ(complaint("graph [\n [ ] ]", "found ["), "H202 at g:2");
  EXPECT_EQ(complaint("graph [ ]\ngraph [ ]", "second graph"), "H202 at g:2");
}

TEST(GraphFile, MissingOnesAreRefused) { EXPECT_THROW(read_graph("no/such/file.gml"), Error); }

}  // namespace graph_file_test
}  // namespace hannan::detail
